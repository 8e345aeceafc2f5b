// What the screens of a class share: how it stands, kept up to date; a match that is shown in it; and what is put to all.

import { boardOf, infoOf, sinceMove } from '../boards/boards.js';
import { errorWords, h, mark, renew, row } from './dom.js';
import { fairWords } from './fairness.js';
import { ALIKE, perCent } from './figures.js';
import { answered, ask, Trouble } from './net.js';
import { halves, NAMES, teller } from './words.js';

/** @import { BoardModule, Context, Table } from '../page.d.ts' */
/** @import { ClassBoard, ClassNews, ClassQuestion, ClassSeat, GameInfo, OfGame, Posed } from '../wire.d.ts' */
/** @typedef {{ code: string, classroom?: string, key?: string, token?: string, teacher?: string, roster?: string[], at?: number }} Kept What this browser
 * knows of a class: its name at the server, what this device is known by there, what opens a pupil's seat or the teacher's desk, the names
 * of the teacher's list, which the server never sees, and since when it knows that. */
/** @typedef {'class' | 'seat' | ''} Gone */
/** @typedef {{ board: ClassBoard, seat: ClassSeat }} Sees What a teacher sees, and a pupil. */

/** The server says every 15 seconds that it is still there; after so long without a word, in milliseconds, the line is dead. */
const SILENCE = 40000;
/** All is drawn anew at most once in so many milliseconds: in a full class something happens all the time. */
const PAUSE = 200;
const LOST = 'Reconnecting to the class …';
/** Where a class is kept in this browser. @param {string} code */
export const KEPT = (code) => `class.${code}`;
/** What is gone, if anything is: the class, or this device's place in it. @param {unknown} error @returns {Gone} */
const goneBy = (error) => (!(error instanceof Trouble) ? '' : error.code === 'not-found' ? 'class' : error.code === 'no-seat' ? 'seat' : '');

/** The news of a class: lines of JSON, read for as long as somebody looks. It comes back by itself. Answers how to end it.
 * @param {string} path @param {string} token @param {(news: ClassNews) => void} hear @param {(what: Gone) => void} gone */
function newsLine(path, token, hear, gone) {
  const banner = /** @type {HTMLElement} */ (document.getElementById('banner'));
  let [stop, attempts, timer, closed] = [new AbortController(), 0, 0, false];
  const lost = (/** @type {boolean} */ is) => {
    // A match says there, too, when its line is cut.
    if (is === (banner.textContent === LOST)) return;
    banner.textContent = is ? LOST : '';
    banner.classList.toggle('on', is);
  };
  async function read() {
    clearTimeout(timer);
    stop.abort();
    const mine = (stop = new AbortController());
    try {
      const { body } = await answered(`${path}/events`, { token, signal: mine.signal });
      const lines = /** @type {ReadableStream<any>} */ (body).pipeThrough(new TextDecoderStream()).getReader();
      for (let rest = ''; ; ) {
        clearTimeout(timer);
        timer = window.setTimeout(() => mine.abort(), SILENCE);
        const { done, value } = await lines.read();
        if (done || mine.signal.aborted) break;
        const whole = (rest + value).split('\n');
        rest = whole.pop() ?? '';
        attempts = 0;
        lost(false);
        whole.filter(Boolean).forEach((line) => closed || hear(JSON.parse(line)));
      }
    } catch (error) {
      const what = closed ? '' : goneBy(error);
      if (what) return gone(what);
    }
    // Whoever reads anew has ended this reading.
    if (closed || stop !== mine) return;
    lost(attempts > 0);
    // At first at once, then after growing pauses, never all browsers at the same moment.
    timer = window.setTimeout(read, Math.min(5000, 250 * 2 ** attempts++) * (0.5 + Math.random() / 2));
  }
  // After sleep, and when the network is back, what is seen may be old.
  const look = (/** @type {Event} */ event) => document.hidden || closed || (event instanceof PageTransitionEvent && !event.persisted) || void read();
  const wakes = /** @type {[EventTarget, string][]} */ ([[window, 'online'], [window, 'pageshow'], [document, 'visibilitychange']]);
  wakes.forEach(([target, name]) => target.addEventListener(name, look));
  void read();
  return () => {
    closed = true;
    lost(false);
    wakes.forEach(([target, name]) => target.removeEventListener(name, look));
    clearTimeout(timer);
    stop.abort();
  };
}

/** Be in a class, at the teacher's desk or at a pupil's seat; nothing, where it is gone.
 * @template {'board' | 'seat'} K @param {K} what @param {HTMLElement} main @param {Context} context @param {Kept} kept
 * @param {{ gone: (what: Gone) => void, changed: (now: Sees[K], before: Sees[K]) => void, draw: () => void }} told */
export async function attend(what, main, context, { classroom, teacher, token = '' }, { gone, changed, draw }) {
  const [path, secret] = [`classes/${classroom}`, teacher ?? token];
  const now = /** @type {Sees[K] | null} */ (await ask(`${path}/${what}`, { token: secret }).catch((error) => (goneBy(error) ? void gone(goneBy(error)) : Promise.reject(error))));
  if (!now) return undefined;
  const [seen, held] = [h('div'), h('div', { class: 'held' })];
  main.replaceChildren(seen, held);
  let [later, heard] = [0, performance.now()];
  /** The match that is shown, and what to do when it is left. @type {[string | null, (() => void) | null]} */
  let [match, part] = [null, null];
  /** The time that is left, as `4:07`; it stands still in a pause. */
  const left = () => {
    const { left, paused, phase } = here.now;
    const seconds = Math.ceil(Math.max(0, (left ?? 0) - (paused || phase !== 'playing' ? 0 : (performance.now() - heard) / 1000)));
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  };
  const ticking = setInterval(() => document.querySelectorAll('.chip.time').forEach((place) => (place.textContent = left())), 500);
  const here = {
    now,
    path,
    token: secret,
    left: false,
    drawn: new Drawn(context, () => here.soon()),
    soon: () => void (later ||= window.setTimeout(() => ((later = 0), here.left || draw()), PAUSE)),
    /** Its place on the page; said to who asks, and not every second. */
    time: () => here.now.left !== null && here.now.phase === 'playing' && h('span', { class: 'chip time', role: 'timer', 'aria-label': 'Time left' }, left()),
    hear: (/** @type {Sees[K]} */ now) => {
      if (here.left) return;
      const before = here.now;
      [here.now, heard] = [now, performance.now()];
      changed(now, before);
      here.soon();
    },
    /** Do something, and say whether that went well. @param {object} body */
    act: (body) => /** @type {Promise<Sees[K]>} */ (ask(`${path}/${what}`, { body, token: secret })).then((now) => (here.hear(now), true), (error) => (context.tell(errorWords(error)), false)),
    /** Show this, and below it a match, if any. @param {HTMLElement} fresh @param {string | null} next @param {Table} [table] */
    show: async (fresh, next, table) => {
      const had = main.contains(document.activeElement) && document.activeElement !== main;
      renew(seen, fresh);
      held.hidden = !next;
      // What had the focus may be gone: then it goes to what matters now.
      const first = ['h2[tabindex]', 'h1', '.controls .go'].map((one) => seen.querySelector(one)).find(Boolean);
      if (had && document.activeElement === document.body && first instanceof HTMLElement) first.focus({ preventScroll: true });
      if (next === match) return;
      part?.();
      [match, part] = [next, null];
      held.replaceChildren();
      if (!next) return;
      const { page } = await import('../screens/match.js');
      const leave = await page(held, { ...context, path: `m/${next}`, fragment: new URLSearchParams(), title: () => undefined, ...(table && { table }) });
      if (next === match && !here.left) part = leave ?? null;
      else leave?.();
    },
    leave: () => {
      here.left = true;
      end();
      clearInterval(ticking);
      clearTimeout(later);
      part?.();
    },
  };
  const away = (/** @type {Gone} */ lost) => (here.leave(), gone(lost));
  const end = newsLine(path, secret, (news) => (news.erased || news.gone ? away(news.gone ? 'seat' : 'class') : news[what] && here.hear(/** @type {Sees[K]} */ (news[what]))), away);
  return here;
}

/** How games are drawn and told: loaded once, and `ready` is called when one that was missing has come. */
export class Drawn {
  /** @type {Map<string, { module: BoardModule, info: GameInfo } | null>} */ #games = new Map();

  /** @param {Context} context @param {() => void} ready */
  constructor(context, ready) {
    this.context = context;
    this.ready = ready;
  }

  /** @param {OfGame} game */
  of(game) {
    if (!this.#games.has(game.game)) {
      this.#games.set(game.game, null);
      this.load(game).then(this.ready, () => this.#games.delete(game.game));
    }
    return this.#games.get(game.game) ?? null;
  }

  /** @param {OfGame} game */
  async load(game) {
    const [module, info] = await Promise.all([boardOf(game.game), infoOf(this.context, game)]);
    this.#games.set(game.game, { module, info });
  }

  /** Finds the words for a game. @param {OfGame} game */
  teller(game) {
    const known = this.of(game);
    return known && teller(known.info, known.module, game.settings, NAMES);
  }

  /** A position, only to be looked at, as small as its place. @param {OfGame} game @param {Record<string, any>} board */
  small(game, board) {
    const known = this.of(game);
    return h('div', { class: 'small-board', inert: true, 'aria-hidden': 'true' },
      known && h('div', { class: 'felt' }, known.module.show({ ...game.settings, ...board }, { view: game.view, names: NAMES, turn: null })));
  }
}

/** What is put to all: the position, what there is to choose from, and, when it is uncovered, who chose what.
 * @param {ClassQuestion} question @param {Drawn} drawn @param {Context} context @param {(answer: string) => void} [choose] for who may answer */
export function asked(question, drawn, context, choose) {
  const { kind, position, yours, uncovered, answered, options, said } = question;
  const [known, words] = [position && drawn.of(position), position && drawn.teller(position)];
  const written = (/** @type {string} */ answer) => (kind === 'guess' ? `${answer} of 100` : (known?.module.written(answer) ?? answer));
  const play = uncovered ? undefined : choose;
  const title = kind === 'guess' ? 'Of 100 games in which both play as well as they can, how many does the one who begins win?' : (words?.tell(said) || 'What would you play here?');
  return h('section', { class: 'question', 'aria-label': 'The question' },
    h('h2', { tabindex: '-1' }, position && h('small', null, toMove(position), ' '), title),
    position && known && h('div', { class: 'sheet felt' }, known.module.show({ ...position.settings, ...position.board }, {
      view: position.view, names: NAMES, turn: position.player, tell: context.tell, ...sinceMove(position.history), moves: play ? position.moves : [], ...(play && { play }),
    })),
    kind === 'guess' && play && row(options.map((answer) => h('button', { class: 'button', 'aria-pressed': String(answer === yours), onclick: () => play(answer) }, answer))),
    play && h('p', { class: 'note', role: 'status' }, yours && h('b', null, `You chose ${written(yours)}. `), yours ? 'You can choose again until your teacher shows the answers.' : 'Choose your answer. Nobody else sees it.'),
    !uncovered && !choose && h('p', { class: 'count-in' }, h('strong', null, answered), ` ${answered === 1 ? 'has' : 'have'} answered`),
    uncovered && tally(question, written, words),
  );
}

/** How many chose what, and what is true.
 * @param {ClassQuestion} question @param {(answer: string) => string} written @param {ReturnType<typeof teller> | null} words */
function tally({ kind, bars, exact = null, why, yours }, written, words) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return h('div', { class: 'sheet answers' },
    h('h3', null, 'What the class says'),
    h('ul', { class: 'tally' }, bars.map(({ answer, count, right, value = null }) =>
      h('li', { class: right ? 'right' : null },
        h('b', null, right && h('span', { role: 'img', 'aria-label': 'right: ' }, '✓ '), written(answer)),
        h('span', { class: 'length', 'aria-hidden': 'true' }, h('i', { vars: { '--share': count / most } })),
        h('span', null, h('strong', null, count), h('span', { class: 'unseen' }, count === 1 ? ' answer' : ' answers'), answer === yours && ' – you', value !== null && h('small', null, value > 1 - ALIKE ? ' wins' : value < ALIKE ? ' loses' : ` wins ${perCent(value)} of games`)),
      ))),
    kind === 'guess' ? h('p', { class: 'exact' }, h('b', null, fairWords(exact))) : exact !== null && h('p', null, exact > 1 - ALIKE ? 'Whoever is to move can win for sure.' : exact < ALIKE ? 'Nothing wins here any more against somebody who plays well.' : `With the best move one wins ${perCent(exact)} of such games, if both go on as well as they can.`),
    why.length > 0 && words && h('details', { open: true }, h('summary', null, 'Why?'), h('p', null, words.tell(why))),
  );
}

/** So many of so many. @param {[number, number]} counted */
export const ofAll = ([found, of]) => (of ? `${found} of ${of}` : '–');
/** @param {number} points */
export const pointsWords = (points) => `${halves(points)} ${points === 1 || points === 0.5 ? 'point' : 'points'}`;
/** Who is to move in a position. @param {Pick<Posed, 'player'>} position */
export const toMove = ({ player }) => h('span', null, 'To move: ', mark(player), h('span', { class: 'unseen' }, NAMES[player - 1]));
