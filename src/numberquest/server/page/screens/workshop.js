// The workshop: a game of one's own, with a board to try it, and what is true of it (workshop#python=…).

import { show as board } from '../boards/general_board.js';
import { sinceMove } from '../boards/boards.js';
import { errorWords, h, morph, row as buttons, sentence, stylesheet } from '../parts/dom.js';
import { keepLast, last, linkTo, LONGEST, save, unpacked } from '../parts/drafts.js';
import { editor } from '../parts/editor.js';
import { labelled, select } from '../parts/fields.js';
import { fairWords } from '../parts/fairness.js';
import { Maker, Refused } from '../parts/maker.js';
import { row, scales } from '../parts/measures.js';
import { newKey } from '../parts/net.js';
import { copyLink } from '../parts/share.js';
import { NAMES } from '../parts/words.js';
import { LAWS } from '../laws.js';
import { STARTS } from '../starts.js';

/** @import { Page } from '../page.d.ts' */
/** @import { Draft } from '../parts/drafts.js' */
/** @import { TriedDraft } from '../wire.d.ts' */

/** For so long after the last key nothing is looked at, in milliseconds. */
const PAUSE = 700;
/** So many seconds of work are given to who wins, unless somebody asks for more. */
const AT_ONCE = 3;
/** What is told of it. */
const TOLD = ['value', 'length', 'luck', 'skill', 'lead_changes', 'mattered'];
/** Of two who err at times, as people do. */
const PEOPLE = 'medium';
const FOREIGN = 'What stands here is said by the game itself, not by Number Quest.';
const BAD_LINK = 'This link carries no game, or only a part of one. Ask for it again.';
const TOO_LONG = `A game has at most ${LONGEST.toLocaleString('en')} signs.`;
/** @type {Draft} */
const BLANK = { kind: 'python', text: STARTS['last'] ?? '' };

/** The game that a link carries, where it carries one; null where it is no whole one. @param {URLSearchParams} fragment @returns {Promise<Draft | null | undefined>} */
async function brought(fragment) {
  const code = fragment.get('python');
  if (code === null) return undefined;
  const text = await unpacked(code);
  return text === null ? null : { kind: 'python', text };
}

/** @type {Page} */
export async function page(main, context) {
  await Promise.all([stylesheet('static/style/laboratory.css'), stylesheet('static/style/workshop.css')]);
  context.title('Make a game');
  const linked = await brought(context.fragment);
  if (linked === null) context.tell(BAD_LINK);
  const levels = (await context.games()).levels.map(({ name }) => /** @type {[string, string]} */ ([name, name]));
  const maker = new Maker();
  /** @type {Draft} */
  let draft = linked ?? last() ?? BLANK;
  let visit = 0;
  let timer = 0;

  const side = h('div', { class: 'side' });
  const truths = h('div', { class: 'side wide' });
  const said = h('p', { role: 'status' });
  const shared = h('p', { class: 'row', role: 'status' });
  const code = editor('The rules, in Python', changed, 'One class, as in “Make your own game”.');
  const name = () => /class\s+(\w+)/.exec(draft.text)?.[1]?.toLowerCase() ?? 'game';

  main.append(
    h('div', { class: 'shop' },
      h('header', null, h('h1', { tabindex: '-1' }, 'Make a game'),
        h('p', { class: 'lead' }, 'Write the rules, see at once whether they hold and who wins, and play it.')),
      h('section', { class: 'sheet', 'aria-label': 'Rules' },
        code.element,
        said,
        buttons(
          h('button', { class: 'button', type: 'button', onclick: share }, 'Share'),
          h('button', { class: 'button', type: 'button', onclick: () => save(`${name()}.py`, draft.text) }, 'Save as a file'),
          h('button', { class: 'text', type: 'button', onclick: () => take(BLANK, 'A game to begin with.') }, 'Begin anew'),
        ),
        shared,
      ),
      side,
      truths,
    ),
  );
  code.put(draft.text);
  void look();

  /** @param {string} text */
  function changed(text) {
    draft = { ...draft, text };
    keepLast(draft);
    clearTimeout(timer);
    timer = window.setTimeout(look, PAUSE);
  }

  /** Another game: nothing of the one before goes on. @param {Draft} other @param {string} words */
  function take(other, words) {
    maker.anew();
    draft = other;
    keepLast(draft);
    code.put(draft.text);
    context.tell(words);
    void look();
  }

  async function share() {
    await copyLink(await linkTo(draft), shared);
  }

  /** Look at the game as it is now: its laws, a board to try it, who wins. */
  async function look() {
    const now = ++visit;
    const mine = draft;
    const fresh = () => now === visit;
    if (mine.text.length > LONGEST) return wrong(new Refused(TOO_LONG));
    said.textContent = 'Python is being loaded, which takes some seconds …';
    try {
      await maker.loaded(mine);
      if (!fresh()) return;
      said.textContent = 'Looking at it …';
      const found = await maker.check(mine);
      if (!fresh()) return;
      said.textContent = '';
      const broken = found.laws.find(({ state }) => state === 'broken');
      code.tell(broken ? `A law is broken: ${broken.why ?? broken.name}` : '', found.line);
      side.replaceChildren(about(found.info), laws(found));
      if (broken) return void truths.replaceChildren();
      const tried = tryOut(mine, fresh);
      side.prepend(tried.element);
      await tried.begin();
      if (fresh()) await truth(mine, fresh, AT_ONCE);
    } catch (error) {
      if (fresh()) wrong(error);
    }
  }

  /** @param {unknown} error */
  function wrong(error) {
    said.textContent = '';
    code.tell(errorWords(error), error instanceof Refused ? error.line : null);
  }

  /** What the game says of itself. @param {{ title: string, summary: string, rules: string }} info */
  function about({ title, summary, rules }) {
    return h('section', { class: 'sheet foreign', 'aria-label': 'The game’s own words' },
      h('p', { class: 'small' }, FOREIGN),
      h('h2', null, h('bdi', null, title)),
      h('p', null, h('bdi', null, summary)),
      h('details', null, h('summary', null, 'Its rules'), h('p', null, h('bdi', null, rules))),
    );
  }

  /** @param {{ laws: { name: string, state: string, why: string | null }[], ends: boolean }} found */
  function laws({ laws: all, ends }) {
    const concerned = all.filter(({ state }) => state !== '-');
    const broken = concerned.filter(({ state }) => state === 'broken').length;
    const words = broken ? `${broken === 1 ? 'One law is' : `${broken} laws are`} broken.` : `All ${concerned.length} laws hold.`;
    return h('section', { class: 'sheet', 'aria-label': 'Laws' },
      h('h2', null, words),
      !ends && !broken && h('p', { class: 'note' }, 'No game that was played came to an end: can it end at all?'),
      h('details', { open: broken > 0 }, h('summary', null, 'The laws of every game'),
        h('ul', { class: 'laws' }, concerned.map(({ name: law, state, why }) =>
          h('li', { class: state }, h('span', { 'aria-hidden': 'true' }, state === 'holds' ? '✓' : state === 'broken' ? '✕' : '–'),
            h('span', null, h('span', { class: 'unseen' }, state === 'holds' ? 'Holds: ' : state === 'broken' ? 'Broken: ' : 'Not seen: '), LAWS[law]),
            why && h('bdi', null, why))))),
    );
  }

  /** The board to try it on. @param {Draft} mine @param {() => boolean} fresh */
  function tryOut(mine, fresh) {
    const ground = h('div', null);
    const status = h('p', { role: 'status' });
    const element = h('section', { class: 'sheet foreign', 'aria-label': 'Board' },
      h('h2', null, 'Try it'),
      labelled('try-level', 'Player 2 is', select([['', 'you, too'], ...levels], 'easy', { id: 'try-level', onchange: () => void begin() })),
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
      const level = /** @type {HTMLSelectElement} */ (element.querySelector('select')).value;
      try {
        const state = await maker.play(mine, { seed, moves, level });
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
      log.scrollTop = log.scrollHeight;
    }

    function begin() {
      seed = newKey();
      return go([]);
    }
    return { element, begin };
  }

  /** Who wins, how long, how much luck. @param {Draft} mine @param {() => boolean} fresh @param {number} patience */
  async function truth(mine, fresh, patience) {
    const waiting = h('p', { role: 'status' }, 'Looking at every position …');
    truths.replaceChildren(h('section', { class: 'sheet', 'aria-label': 'What is true of it' }, h('h2', null, 'Who wins?'), waiting));
    try {
      const best = await maker.measure(mine, 'perfect', patience);
      const people = await maker.measure(mine, PEOPLE, patience);
      if (!fresh()) return;
      const of = (/** @type {string} */ what) => best.measures.find((one) => one.name === what)?.value ?? null;
      truths.replaceChildren(h('section', { class: 'sheet', 'aria-label': 'What is true of it' },
        h('h2', null, 'Who wins?'),
        h('p', null, h('b', null, fairWords(of('value')))),
        scales(of('value') ?? 0.5, of('draw') ?? 0),
        h('h3', null, 'Between two who err at times, as people do'),
        h('ul', { class: 'measures truths' }, people.measures.filter((one) => TOLD.includes(one.name)).map((one) => row({ meaning: '', why: null, ...one }))),
        h('p', { class: 'small' }, `Worked out from ${best.positions.toLocaleString('en')} positions, by the rules of the game.`)));
    } catch (error) {
      if (!fresh()) return;
      const large = error instanceof Refused && error.code === 'too-large';
      waiting.textContent = large && patience ? 'This takes more than a moment.' : errorWords(error);
      if (large && patience) waiting.after(buttons(h('button', { class: 'button', type: 'button', onclick: () => void truth(mine, fresh, 0) }, 'Take longer')));
      if (!large) wrong(error);
    }
  }

  return () => {
    clearTimeout(timer);
    visit++;
    maker.anew();
  };
}
