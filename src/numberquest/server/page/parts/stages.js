// Turns that can be followed: what comes at once is shown one thing after the other.

import * as keep from './keep.js';

/** @import { Board, State } from '../wire.d.ts' */
/** @typedef {{ state: State, done: string[], wait: number }} Part What is shown next, so many milliseconds after what was before it. */

/** The computer seems to think for a moment, between these. */
const [QUICK, SLOW] = [400, 700];
/** From a move to what it uncovers. */
const REVEAL = 500;
/** From the last of all to the result: a card takes so long to turn. */
const END = 800;

/** Whether everything is shown at once: as somebody chose, or as their system asks for calm. */
export const fast = () => keep.get('fast', matchMedia('(prefers-reduced-motion: reduce)').matches);

/**
 * What one entry of the log has done, part by part: the move, what it uncovers, the result.
 * @param {State} before
 * @param {State} after
 * @param {string[]} done
 * @param {(before: Board, after: Board) => Board} between the board between a move and what it uncovers
 * @returns {Part[]}
 */
export function parts(before, after, done, between) {
  const since = before.history.length;
  const [move, ...reveals] = after.history.slice(since);
  // Whoever was away sees at once how it stands.
  if (after.secrets || fast() || !move?.player || after.ply !== before.ply + 1) return [{ state: after, done, wait: 0 }];
  const thought = after.players[move.player - 1]?.kind === 'human' ? 0 : QUICK + (SLOW - QUICK) * Math.random();
  const { turn, seal, series } = before;
  const open = { ...after, turn, seal, series, moves: [], outcome: null };
  /** @type {State[]} */
  const states = [];
  if (reveals.length) states.push({ ...open, history: after.history.slice(0, since + 1), board: between(before.board, after.board) });
  if (after.outcome) states.push(open);
  states.push(after);
  return states.map((state, at) => ({ state, done: at ? [] : done, wait: !at ? thought : state.outcome ? END : REVEAL }));
}

/** Shows parts in their time. */
export class Stage {
  /** @type {Part[]} */ #parts = [];
  #timer = 0;
  #since = 0;

  /** @param {(state: State, done: string[]) => void} show */
  constructor(show) {
    this.show = show;
  }

  /** Whether there is more to come. */
  get busy() {
    return this.#parts.length > 0;
  }

  /** The state after all that is to come. @returns {State | undefined} */
  get last() {
    return this.#parts.at(-1)?.state;
  }

  /** @param {Part[]} more */
  add(more) {
    this.#parts.push(...more);
    if (!this.#timer) this.#go();
  }

  /** Everything at once: somebody does not want to wait. */
  skip() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    while (this.busy) this.#next();
  }

  /** Nothing of it is shown any more. */
  clear() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#parts = [];
  }

  #go() {
    this.#timer = 0;
    while (this.#parts[0]) {
      const wait = this.#since + this.#parts[0].wait - performance.now();
      if (wait > 0) return void (this.#timer = window.setTimeout(() => this.#go(), wait));
      this.#next();
    }
  }

  #next() {
    const part = this.#parts.shift();
    if (!part) return;
    this.show(part.state, part.done);
    // From when it is to be seen: drawing may take a while on a slow device.
    this.#since = performance.now();
  }
}
