// What the screens of a class share: the line that says how it stands, the clock, and a question that is put to all.

import { boardOf, infoOf, sinceMove } from '../boards/boards.js';
import { h, mark, row } from './dom.js';
import { fairWords } from './fairness.js';
import { perCent } from './figures.js';
import { answered, Trouble } from './net.js';
import { many, NAMES, teller } from './words.js';

/** @import { BoardModule, Context, Table } from '../page.d.ts' */
/** @import { ClassNews, ClassQuestion, GameInfo, OfGame, Posed } from '../wire.d.ts' */

/** The server says at least every 15 seconds that it is still there; without a word for so long, in milliseconds, the line is dead. */
const SILENCE = 40000;
/** What was kept of a class, by its code, in this browser. @param {string} code */
export const KEPT = (code) => `class.${code}`;

/** The news of a class, read for as long as somebody looks. It comes back by itself. */
export class NewsLine {
  #stop = new AbortController();
  #closed = false;
  #attempts = 0;
  #timer = 0;

  /**
   * @param {string} id
   * @param {string} token
   * @param {{ news: (news: ClassNews) => void, gone: () => void }} told
   */
  constructor(id, token, told) {
    this.path = `classes/${id}/events`;
    this.token = token;
    this.told = told;
    this.banner = /** @type {HTMLElement} */ (document.getElementById('banner'));
    for (const name of ['online', 'pageshow']) addEventListener(name, this);
    document.addEventListener('visibilitychange', this);
    void this.#read();
  }

  close() {
    this.#closed = true;
    this.#lost(false);
    for (const name of ['online', 'pageshow']) removeEventListener(name, this);
    document.removeEventListener('visibilitychange', this);
    clearTimeout(this.#timer);
    this.#stop.abort();
  }

  /** What browsers tell about sleep and the network: whoever looks again must not see what was. */
  handleEvent() {
    if (document.hidden) return;
    clearTimeout(this.#timer);
    this.#stop.abort();
    void this.#read();
  }

  async #read() {
    const stop = (this.#stop = new AbortController());
    try {
      const answer = await answered(this.path, { token: this.token, signal: stop.signal });
      const lines = /** @type {ReadableStream<Uint8Array>} */ (answer.body).pipeThrough(/** @type {any} */ (new TextDecoderStream())).getReader();
      for (let rest = ''; ; ) {
        this.#expect(stop);
        const { done, value } = await lines.read();
        if (done || stop.signal.aborted) break;
        const [last, ...whole] = (rest + value).split('\n').reverse();
        rest = last ?? '';
        for (const line of whole.reverse()) if (line) this.#hear(JSON.parse(line));
      }
    } catch (error) {
      // The class is gone, or this device is no longer part of it.
      if (error instanceof Trouble && ['not-found', 'no-seat'].includes(error.code) && !this.#closed) {
        this.close();
        return this.told.gone();
      }
    }
    // Whoever reads anew has ended this reading.
    if (!this.#closed && this.#stop === stop) this.#again();
    return undefined;
  }

  /** @param {AbortController} stop */
  #expect(stop) {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => stop.abort(), SILENCE);
  }

  /** @param {ClassNews & { type?: string }} news */
  #hear(news) {
    this.#attempts = 0;
    this.#lost(false);
    if (news.erased) {
      this.close();
      this.told.gone();
    } else if (news.board || news.seat) this.told.news(news);
  }

  /** At first at once, then after growing pauses, never all browsers at the same moment. */
  #again() {
    this.#lost(this.#attempts > 0);
    const pause = Math.min(5000, 250 * 2 ** this.#attempts++) * (0.5 + Math.random() / 2);
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#read(), pause);
  }

  /** @param {boolean} lost */
  #lost(lost) {
    this.banner.textContent = lost ? 'Reconnecting to the class …' : '';
    this.banner.classList.toggle('on', lost);
  }
}

/** The time that is left, shown wherever there is a place for it. */
export class Countdown {
  #left = /** @type {number | null} */ (null);
  #at = 0;
  #stands = true;
  #timer = window.setInterval(() => this.show(), 500);

  /** @param {number | null} left in seconds @param {boolean} stands whether it does not run */
  set(left, stands) {
    [this.#left, this.#at, this.#stands] = [left, performance.now(), stands];
    this.show();
  }

  /** `4:07`; empty where there is no end. */
  get words() {
    if (this.#left === null) return '';
    const left = Math.ceil(Math.max(0, this.#left - (this.#stands ? 0 : performance.now() - this.#at) / 1000));
    return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  }

  /** Its place on the page, said as such to who asks, and not every second. */
  place() {
    return this.words && h('span', { class: 'chip time', role: 'timer', 'aria-label': 'Time left' }, this.words);
  }

  show() {
    for (const place of document.querySelectorAll('.chip.time')) if (place.textContent !== this.words) place.textContent = this.words;
  }

  leave() {
    clearInterval(this.#timer);
  }
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
    const known = this.#games.get(game.game);
    if (known !== undefined) return known;
    this.#games.set(game.game, null);
    Promise.all([boardOf(game.game), infoOf(this.context, game)]).then(([module, info]) => {
      this.#games.set(game.game, { module, info });
      this.ready();
    }, () => this.#games.delete(game.game));
    return null;
  }

  /** Finds the words for a game. @param {OfGame} game */
  teller(game) {
    const known = this.of(game);
    return known && teller(known.info, known.module, game.settings, NAMES);
  }

  /** A position, only to be looked at, as small as its place. @param {OfGame} game @param {Record<string, any>} board @param {object} [about] */
  small(game, board, about = {}) {
    const known = this.of(game);
    return h('div', { class: 'small-board', inert: true, 'aria-hidden': 'true' },
      known && h('div', { class: 'felt' }, known.module.show({ ...game.settings, ...board }, { view: game.view, names: NAMES, turn: null, ...about })));
  }
}

/** A match in a part of the page: one at a time. */
export class Seat {
  #leave = /** @type {(() => void) | null} */ (null);
  /** @type {string | null} */ match = null;

  /** @param {HTMLElement} place @param {Context} context */
  constructor(place, context) {
    this.place = place;
    this.context = context;
  }

  /** Go to this match, or from the one that is open. @param {string | null} match @param {Table} [table] */
  async go(match, table) {
    if (match === this.match) return;
    this.match = match;
    this.#leave?.();
    this.#leave = null;
    this.place.replaceChildren();
    if (!match) return;
    const { page } = await import('../screens/match.js');
    const context = { ...this.context, path: `m/${match}`, fragment: new URLSearchParams(), ...(table && { table }) };
    if (match !== this.match) return;
    const leave = (await page(this.place, context)) ?? null;
    if (match === this.match) this.#leave = leave;
    else leave?.();
  }
}

/**
 * What is put to all, as everybody sees it: the position, what there is to choose from, and, when it is uncovered, who chose what.
 * @param {ClassQuestion} question
 * @param {Drawn} drawn
 * @param {Context} context
 * @param {(answer: string) => void} [choose] for who may answer
 */
export function asked(question, drawn, context, choose) {
  const { kind, position, yours, uncovered, bars, answered } = question;
  const known = position && drawn.of(position);
  const words = position && drawn.teller(position);
  const written = (/** @type {string} */ answer) => (kind === 'guess' ? `${answer} of 100` : known ? known.module.written(answer) : answer);
  const play = uncovered ? undefined : choose;
  const title = kind === 'guess' ? 'Of 100 games that both play as well as they can: how many does the one who begins win?' : (words?.tell(question.said) || 'What would you play here?');
  return h('section', { class: 'question', 'aria-label': 'The question' },
    h('h2', { tabindex: '-1' }, position && h('small', { class: 'me' }, 'To move: ', mark(position.player), h('span', { class: 'unseen' }, `${NAMES[position.player - 1]}.`)), ' ', title),
    position && known && h('div', { class: 'sheet felt' }, known.module.show({ ...position.settings, ...position.board }, {
      view: position.view, names: NAMES, turn: position.player, tell: context.tell, ...sinceMove(position.history), moves: play ? position.moves : [], ...(play && { play }),
    })),
    kind === 'guess' && play && row(question.options.map((answer) =>
      h('button', { class: 'button', 'aria-pressed': String(answer === yours), onclick: () => play(answer) }, answer))),
    play && h('p', { class: 'note', role: 'status' }, yours ? [h('b', null, `You chose ${written(yours)}.`), ' You can choose again until your teacher shows the answers.'] : 'Choose your answer. Nobody else sees it.'),
    !uncovered && !choose && h('p', { class: 'count-in', role: 'status' }, h('strong', null, answered), ` ${answered === 1 ? 'has' : 'have'} answered`),
    uncovered && tally(question, written, words),
  );
}

/**
 * How many chose what, and what is true.
 * @param {ClassQuestion} question
 * @param {(answer: string) => string} written
 * @param {ReturnType<typeof teller> | null} words
 */
function tally({ kind, bars, exact, why, yours }, written, words) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return h('div', { class: 'sheet answers' },
    h('h3', null, 'What the class says'),
    h('ul', { class: 'tally' }, bars.map(({ answer, count, right, value = null }) =>
      h('li', { class: right ? 'right' : null },
        h('b', null, right && [h('span', { 'aria-hidden': 'true' }, '✓ '), h('span', { class: 'unseen' }, 'right: ')], written(answer)),
        h('span', { class: 'length', 'aria-hidden': 'true' }, h('i', { vars: { '--share': count / most } })),
        h('span', null, h('strong', null, count), h('span', { class: 'unseen' }, count === 1 ? ' answer' : ' answers'), answer === yours && ' – you',
          value !== null && h('small', null, ` wins ${perCent(value)}`)),
      ))),
    kind === 'guess' ? h('p', { class: 'exact' }, h('b', null, fairWords(exact))) : exact !== null && exact !== undefined && h('p', null, `With the best move you win ${perCent(exact)} of such games, if both go on as well as they can.`),
    why.length > 0 && words && h('details', { open: true }, h('summary', null, 'Why?'), h('p', null, words.tell(why))),
  );
}

/** So many found of so many. @param {[number, number]} moments */
export const moments = ([found, of]) => (of ? `${found} of ${of}` : '–');
/** Points, with halves as people write them. @param {number} points */
export const pointsWords = (points) => `${points % 1 ? `${Math.floor(points) || ''}½` : points} ${points === 1 || points === 0.5 ? 'point' : 'points'}`;
/** @param {number} wrong @param {number} times */
export const missedWords = (wrong, times) => `${wrong} of ${many(times, 'answer')} ${wrong === 1 ? 'was' : 'were'} a mistake`;
/** A position as it stands in a list. @param {Posed} position */
export const toMove = (position) => ['To move: ', mark(position.player), h('span', { class: 'unseen' }, NAMES[position.player - 1])];
