// What is seen of a game that somebody makes: what it says of itself, its laws, a board to try it, and who wins.

import { show as board } from '../boards/general_board.js';
import { sinceMove } from '../boards/boards.js';
import { errorWords, h, morph, row as buttons, sentence } from '../parts/dom.js';
import { fairWords } from '../parts/fairness.js';
import { labelled, select } from '../parts/fields.js';
import { Refused } from '../parts/maker.js';
import { row, scales } from '../parts/measures.js';
import { newKey } from '../parts/net.js';
import { NAMES } from '../parts/words.js';
import { LAWS } from '../laws.js';

/** @import { Draft } from '../parts/drafts.js' */
/** @import { Maker } from '../parts/maker.js' */
/** @import { TriedDraft } from '../wire.d.ts' */
/** @typedef {{ title: string, draft: Draft, best: Found, people: Found }} Known What is known of a game. */
/** @typedef {{ positions: number, measures: { name: string, value: number | null }[] }} Found */

const FOREIGN = 'What stands here is said by the game itself, not by Number Quest.';
/** What is told of it. */
const TOLD = ['value', 'length', 'luck', 'skill', 'lead_changes', 'mattered'];
/** Of two who err at times, as people do. */
const PEOPLE = 'medium';

const OLD = 'This is of the last version that worked.';

/** Say of a sheet that the rules have changed since, and let nobody use it. @param {Element} sheet */
export function mark(sheet) {
  if (sheet.classList.contains('old')) return;
  sheet.classList.add('old');
  for (const part of sheet.children) part.toggleAttribute('inert', true);
  sheet.prepend(h('p', { class: 'note' }, h('b', null, OLD)));
}

/** What the game says of itself. @param {{ title: string, summary: string, rules: string }} info */
export const about = ({ title, summary, rules }) =>
  h('section', { class: 'sheet foreign', 'aria-label': 'The game’s own words' },
    h('p', { class: 'small' }, FOREIGN),
    h('h2', null, h('bdi', null, title)),
    h('p', null, h('bdi', null, summary)),
    h('details', null, h('summary', null, 'Its rules'), h('p', null, h('bdi', null, rules))),
  );

const SIGNS = /** @type {Record<string, [string, string]>} */ ({ holds: ['✓', 'Holds: '], broken: ['✕', 'Broken: '], unseen: ['–', 'Not seen: '] });

/** @param {{ laws: { name: string, state: string, why: string | null }[], ends: boolean }} found */
export function laws({ laws: all, ends }) {
  const concerned = all.filter(({ state }) => state !== '-');
  const broken = concerned.filter(({ state }) => state === 'broken').length;
  const words = broken ? `${broken === 1 ? 'One law is' : `${broken} laws are`} broken.` : `All ${concerned.length} laws hold.`;
  return h('section', { class: 'sheet', 'aria-label': 'Laws' },
    h('h2', null, words),
    !ends && !broken && h('p', { class: 'note' }, 'No game that was played came to an end: can it end at all?'),
    h('details', { open: broken > 0 }, h('summary', null, 'The laws of every game'),
      h('ul', { class: 'laws' }, concerned.map(({ name: law, state, why }) => {
        const [sign, said] = SIGNS[state] ?? ['', ''];
        return h('li', { class: state }, h('span', { 'aria-hidden': 'true' }, sign), h('span', null, h('span', { class: 'unseen' }, said), LAWS[law]), why && h('bdi', null, why));
      }))),
  );
}

/**
 * A board to try the game on.
 * @param {Maker} maker
 * @param {Draft} draft
 * @param {[string, string][]} levels
 * @param {() => boolean} fresh whether it is still this game that is looked at
 * @param {(error: unknown) => void} wrong
 */
export function trial(maker, draft, levels, fresh, wrong) {
  const ground = h('div', null);
  const status = h('p', { role: 'status' });
  const level = select([['', 'you, too'], ...levels], 'easy', { id: 'try-level', onchange: () => void begin() });
  const element = h('section', { class: 'sheet foreign', 'aria-label': 'Board' },
    h('h2', null, 'Try it'),
    labelled('try-level', 'Player 2 is', level),
    status, ground,
    buttons(h('button', { class: 'button', type: 'button', onclick: () => void begin() }, 'Play from the start')));
  let seed = newKey();
  let busy = false;
  /** @type {HTMLElement | null} */
  let shown = null;

  /** @param {string[]} moves */
  async function go(moves) {
    if (busy || !fresh()) return;
    busy = true;
    try {
      const state = await maker.play(draft, { seed, moves, level: level.value });
      if (fresh()) draw(state);
    } catch (error) {
      if (fresh()) wrong(error);
    } finally {
      busy = false;
    }
  }

  /** @param {TriedDraft} state */
  function draw(state) {
    const log = h('ol', { class: 'log', tabindex: '0', 'aria-label': 'Moves so far' }, state.history.map(({ player, entry }) =>
      h('li', null, player ? `${NAMES[player - 1]}: ` : 'It came: ', h('bdi', null, entry))));
    const end = state.ending === null ? '' : `${state.winner ? `${NAMES[state.winner - 1]} wins.` : 'A draw.'} `;
    status.replaceChildren(end || (state.turn ? `It is the turn of ${NAMES[state.turn - 1]}.` : ''), state.ending ? h('bdi', null, sentence(state.ending)) : '');
    const drawn = h('div', null, board(state.board, {
      moves: state.moves, turn: state.turn, names: NAMES, view: state.view, ...sinceMove(state.history),
      ...(state.turn && { play: (/** @type {string} */ move) => void go([...state.played, move]) }),
    }), state.history.length > 0 && log);
    if (shown) shown = morph(shown, drawn);
    else ground.append((shown = drawn));
    const list = shown.querySelector('.log');
    if (list) list.scrollTop = list.scrollHeight;
  }

  function begin() {
    seed = newKey();
    return go([]);
  }
  return { element, begin };
}

/**
 * Who wins, how long it takes, how much of it is luck; and the same of the game as it was before.
 * @param {Maker} maker
 * @param {(error: unknown) => void} wrong
 * @param {(words: string) => void} say to who listens
 */
export function truths(maker, wrong, say) {
  const element = h('div', { class: 'side wide' });
  /** @type {Known | null} */
  let now = null;
  /** @type {Known | null} */
  let before = null;
  let comparing = false;

  /** @param {Draft} draft @param {string} title @param {() => boolean} fresh @param {boolean} [soon] */
  async function show(draft, title, fresh, soon = true) {
    const waiting = h('p', { role: 'status' }, 'Looking at every position …');
    element.replaceChildren(sheet(waiting));
    try {
      const best = await maker.measure(draft, 'perfect', soon);
      const people = fresh() ? await maker.measure(draft, PEOPLE, soon) : best;
      if (!fresh()) return;
      if (now && now.draft.text !== draft.text) before = now;
      now = { title, draft, best, people };
      draw();
      // Numbers of the game, in our own words.
      say(fairWords(best.measures.find((one) => one.name === 'value')?.value ?? null));
    } catch (error) {
      if (!fresh()) return;
      const large = error instanceof Refused && error.code === 'too-large';
      waiting.textContent = large && soon ? 'This takes more than a moment.' : errorWords(error);
      if (large && soon) waiting.after(buttons(h('button', { class: 'button', type: 'button', onclick: () => void show(draft, title, fresh, false) }, 'Take longer')));
      if (!large) wrong(error);
    }
  }

  function draw() {
    if (!now) return;
    const other = comparing ? before : null;
    const part = (/** @type {Known} */ { best }, /** @type {string} */ words) => {
      const of = (/** @type {string} */ what) => best.measures.find((one) => one.name === what)?.value ?? null;
      return [h('p', null, words, h('b', null, fairWords(of('value')))), scales(of('value') ?? 0.5, of('draw') ?? 0)];
    };
    const earlier = (/** @type {string} */ name) => {
      const found = other?.people.measures.find((one) => one.name === name);
      return found && { meaning: '', why: null, ...found };
    };
    const flip = () => ((comparing = !comparing), draw(), element.querySelector('button')?.focus());
    element.replaceChildren(sheet(
      other && part(other, 'A, before: '),
      part(now, other ? 'B, now: ' : ''),
      h('h3', null, 'Between two who err at times, as people do'),
      h('ul', { class: 'measures' }, now.people.measures.filter((one) => TOLD.includes(one.name)).map((one) => row({ meaning: '', why: null, ...one }, earlier(one.name)))),
      h('p', { class: 'small' }, `Worked out from ${now.best.positions.toLocaleString('en')} positions, by the rules of the game.`),
      before && buttons(h('button', { class: 'button', type: 'button', 'aria-pressed': String(comparing), onclick: flip }, 'Compare with before')),
    ));
  }

  const none = () => element.replaceChildren();
  return {
    element, show, none,
    /** Mark what is shown as old; what was still being looked at is gone. */
    mark: () => (element.querySelector('.measures') ? [...element.children].forEach(mark) : none()),
  };
}

/** @param {...any} inside */
const sheet = (...inside) => h('section', { class: 'sheet', 'aria-label': 'What is true of it' }, h('h2', null, 'Who wins?'), ...inside);
