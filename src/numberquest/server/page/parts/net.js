// Talking to the server: requests, the live connection that mends itself, and what shows at once, however slow the line
// is: that something is under way, and that there is no connection.

import { HOST } from '../host.js';
import { download } from './dom.js';
import { live } from './links.js';
import { refusal } from './words.js';

/** @import { InPageSocket } from './in_page.js' */
/** @import { Act, Change, Deed, FromServer, Move, Problem, Seat, Sign, SignName, State, ToServer } from '../wire.d.ts' */

let under = 0;

/** Show that something is under way until it is done. @template T @param {Promise<T>} work @returns {Promise<T>} */
export async function during(work) {
  document.documentElement.toggleAttribute('data-waiting', ++under > 0);
  try {
    return await work;
  } finally {
    document.documentElement.toggleAttribute('data-waiting', --under > 0);
  }
}

const line = /** @type {HTMLElement} */ (document.getElementById('offline'));
let kept = 'There is no connection to the server. What was open here can still be read; games go on when it is back.';
/** How often it is tried whether it is back, in milliseconds. */
const AGAIN = 5000;
let trying = 0;

/** Say whether what is seen is only what was kept here. @param {boolean} only */
export function onlyKept(only) {
  if (line.classList.toggle('on', only)) line.textContent ||= kept;
  else line.textContent = '';
  clearTimeout(trying);
  if (only) trying = window.setTimeout(tryAgain, AGAIN);
}

/** Not everything that brings the network back is told to the page. */
const tryAgain = () => void fetch('healthz').then(({ ok }) => onlyKept(!ok), () => onlyKept(true));

/** Without a server nothing is ever cut off. */
const alone = !!HOST?.alone;
if (!alone) {
  addEventListener('offline', () => onlyKept(true));
  addEventListener('online', tryAgain);
}
/** Python in this browser, where it is to be had: in place of a server, or while there is none. */
const python = HOST && import('./in_page.js').catch(() => null);
void python?.then((found) => (kept += found?.GOES_ON ?? ''));

// Only where the page came over a safe line: other ones have none.
const worker = navigator.serviceWorker?.register('sw.js').then(() => navigator.serviceWorker.ready, () => null);

/** Let something be kept, to be read without a network. @param {{ late?: string[], python?: string[], state?: State }} what */
export const keepHere = (what) => void worker?.then((found) => found?.active?.postMessage(what));

// At the first visit much of the page is there before the worker is.
if (navigator.serviceWorker)
  new PerformanceObserver((list) => {
    const late = /** @type {PerformanceResourceTiming[]} */ (list.getEntries()).filter(({ workerStart }) => !workerStart);
    if (late.length) keepHere({ late: late.map(({ name }) => name) });
  }).observe({ type: 'resource', buffered: true });

// What it takes to go on without the server comes when nothing else is to be done, and once.
if (HOST && !alone)
  addEventListener('load', () => setTimeout(() => python?.then((found) => found?.fetchAll(keepHere)), 3000));

/** Something the server refused, in words. */
export class Trouble extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(refusal(problem));
    this.code = problem.code;
    this.line = problem.line;
    this.problem = problem;
  }
}

/**
 * Ask the server. What it refuses is thrown as `Trouble`, a sentence for people.
 * @template T
 * @param {string} path behind /api/
 * @param {{ body?: object, token?: string, text?: boolean, signal?: AbortSignal }} [how]
 * @returns {Promise<T>}
 */
export const ask = (path, how = {}) => during(answered(path, how).then((answer) => /** @type {Promise<T>} */ (how.text ? answer.text() : answer.json())));

/**
 * The answer to a question, for who reads it bit by bit.
 * @param {string} path
 * @param {{ body?: object, token?: string, signal?: AbortSignal }} how
 * @returns {Promise<Response>}
 */
export async function answered(path, { body, token, signal }) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (body) headers['Content-Type'] = 'application/json';
  if (token) headers['Authorization'] = `Bearer ${token}`;
  const request = { method: body ? 'POST' : 'GET', headers, body: body ? JSON.stringify(body) : null, signal: signal ?? null };
  let answer;
  try {
    answer = (await (await python)?.first(path, request)) ?? (await fetch('api/' + path, request));
    onlyKept(answer.headers.has('X-Kept'));
  } catch {
    if (signal?.aborted) throw new Trouble({ code: 'offline', error: 'Cancelled.' });
    if (!alone) onlyKept(true);
    answer = await (await python)?.instead(path, request);
    if (!answer) throw new Trouble({ code: 'offline', error: 'The server cannot be reached. Are you still connected?' });
  }
  if (answer.ok) return answer;
  const problem = await answer.json().catch(() => null);
  throw new Trouble(problem?.code ? problem : { code: 'internal', error: `The server answered ${answer.status}.` });
}

/** Save an answer as a file. @param {string} path behind /api/ @param {string} name @param {string} [token]
 * @param {(text: string) => string} [put] what this browser alone knows into it */
export async function save(path, name, token, put = (text) => text) {
  const text = put(/** @type {string} */ (await ask(path, { text: true, ...(token && { token }) })));
  // Without the mark, which is lost where a text is read, spreadsheets take a table for something else than Unicode.
  download(name, name.endsWith('.csv') ? `\ufeff${text}` : text);
}

/** A name for a request: the same one sent twice happens once. */
export const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16).padStart(2, '0')).join('');

/**
 * The state after a change; null where it is not the change that comes next.
 * @param {State} state
 * @param {Change} change
 * @returns {State | null}
 */
export function changed(state, { since, history, ...rest }) {
  if (rest.ply !== state.ply + 1) return null;
  const lines = history ? [...state.history.slice(0, since), ...history] : state.history;
  return { ...state, ...rest, history: lines };
}

/** An answer should come within this, in milliseconds. */
const PATIENCE = alone ? 120000 : 8000;
/** After so long without a word it is looked whether the line still lives. */
const SILENCE = 40000;

/** The live connection to one match. It comes back by itself; what was asked and not answered is asked again. */
export class Connection {
  /** @type {WebSocket | InPageSocket | null} */ #socket = null;
  /** @type {Map<string, ToServer>} */ #waiting = new Map();
  #attempts = 0;
  #welcomed = false;
  #closed = false;
  #heard = 0;
  #timer = 0;
  #watch = 0;
  /** @type {State | null} */ #state = null;

  /**
   * @param {string} id
   * @param {() => string | null} token
   * @param {{ state: (state: State, seats: Seat[] | null, done: string[]) => void, refused: (problem: Problem) => void,
   *   lost: (lost: boolean) => void, gone: () => void, away: (seats: Seat[]) => void, waited?: (waited: number, patience: number) => void, sign: (sign: Sign) => void }} told
   */
  constructor(id, token, told) {
    this.id = id;
    this.token = token;
    this.told = told;
    for (const name of ['online', 'offline', 'pageshow']) addEventListener(name, this);
    document.addEventListener('visibilitychange', this);
    this.#watch = window.setInterval(() => this.#look(), 5000);
    this.#open();
  }

  /** Whether an answer is awaited. */
  get busy() {
    return this.#waiting.size > 0;
  }

  /** @param {number} ply @param {string} move */
  move(ply, move) {
    return this.#ask({ type: 'move', ply, move, key: newKey() });
  }

  /** @param {number} ply @param {Deed} deed @param {Seat | null} seat */
  act(ply, deed, seat) {
    return this.#ask({ type: 'act', ply, do: deed, seat, key: newKey() });
  }

  /** Show a sign; false while the line is cut, for later it would mean nothing. @param {SignName} sign */
  sign(sign) {
    if (this.#welcomed) this.#socket?.send(JSON.stringify({ type: 'sign', sign }));
    return this.#welcomed;
  }

  /** Come back with another token. */
  again() {
    this.#open();
  }

  close() {
    this.#closed = true;
    for (const name of ['online', 'offline', 'pageshow']) removeEventListener(name, this);
    document.removeEventListener('visibilitychange', this);
    clearTimeout(this.#timer);
    clearInterval(this.#watch);
    this.#socket?.close();
  }

  /** What browsers tell about sleep and the network. @param {Event} event */
  handleEvent(event) {
    if (event.type === 'offline') this.#again(0);
    else if (event.type === 'online' || (event instanceof PageTransitionEvent && event.persisted)) this.#open();
    else if (document.hidden || event.type === 'pageshow') return;
    else if (this.#welcomed) void this.#look(true);
    else this.#open();
  }

  /** @param {(Act | Move) & { key: string }} frame */
  #ask(frame) {
    this.#waiting.set(frame.key, frame);
    if (this.#welcomed) this.#send(frame);
    return frame.key;
  }

  /** @param {ToServer} frame */
  #send(frame) {
    this.#socket?.send(JSON.stringify(frame));
    this.#expect();
  }

  /** An answer must come, or the line is taken for dead. */
  #expect() {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#again(0), PATIENCE);
  }

  #open() {
    if (python) void python.then((found) => this.#dial(found?.socketOf(this.id)));
    else this.#dial();
  }

  /** @param {typeof InPageSocket | null} [Socket] */
  #dial(Socket) {
    if (this.#closed) return;
    this.#drop();
    const socket = Socket ? new Socket(this.id) : new WebSocket(live(this.id));
    this.#socket = socket;
    this.#expect();
    socket.onopen = () => this.#send({ type: 'hello', token: this.token() });
    socket.onclose = () => this.#again();
    socket.onmessage = (/** @type {{ data: string }} */ event) => this.#hear(JSON.parse(event.data));
  }

  #drop() {
    this.#welcomed = false;
    clearTimeout(this.#timer);
    if (!this.#socket) return;
    this.#socket.onopen = this.#socket.onclose = this.#socket.onmessage = null;
    this.#socket.close();
    this.#socket = null;
  }

  /**
   * Come back: at first at once, then after growing pauses, never all browsers at the same moment.
   * @param {number} [wait]
   */
  #again(wait) {
    if (this.#closed) return;
    this.#drop();
    this.told.lost(true);
    const pause = wait ?? Math.min(10000, 250 * 2 ** this.#attempts) * (0.5 + Math.random() / 2);
    if (++this.#attempts % 4 === 0)
      ask(`matches/${this.id}`).catch(
        (error) => error.code === 'not-found' && !this.#closed && (this.close(), this.told.gone()),
      );
    this.#timer = window.setTimeout(() => this.#open(), pause || 250);
  }

  /** @param {FromServer} frame */
  #hear(frame) {
    this.#heard = Date.now();
    if (!this.#welcomed && frame.type !== 'welcome') return;
    if (frame.type === 'presence') return this.told.away(frame.away);
    if (frame.type === 'sign') return this.told.sign(frame);
    clearTimeout(this.#timer);
    if (frame.type === 'refused' && frame.code === 'not-found') {
      // Its keeper has removed it meanwhile.
      this.close();
      return this.told.gone();
    }
    const state = this.#state && frame.type === 'update' && frame.change ? changed(this.#state, frame.change) : frame.state;
    // A change of something else than what we know: say hello again, and be told everything.
    if (!state) return this.#again(0);
    this.#state = state;
    if (frame.type === 'welcome') {
      this.#welcomed = true;
      this.#attempts = 0;
      this.told.lost(false);
      this.told.state(state, frame.seats, []);
      // A server of an earlier version, while both are there, says nothing of it.
      this.told.away(frame.away ?? []);
      this.told.waited?.(frame.waited ?? 0, frame.patience ?? Infinity);
      for (const asked of this.#waiting.values()) this.#send(asked);
      return;
    }
    const done = frame.type === 'update' ? (frame.done ?? []) : [frame.key];
    done.forEach((key) => this.#waiting.delete(key));
    if (this.#waiting.size) this.#expect();
    this.told.state(state, null, frame.type === 'update' ? done : []);
    if (frame.type === 'refused') this.told.refused(frame);
  }

  /**
   * A line that died in silence looks like a quiet one: ask another way how the match stands.
   * @param {boolean} [now]
   */
  async #look(now) {
    if (!this.#welcomed || document.hidden || (!now && Date.now() - this.#heard < SILENCE)) return;
    this.#heard = Date.now();
    const socket = this.#socket;
    const state = await ask(`matches/${this.id}`).then((found) => /** @type {State} */ (found), () => null);
    if (socket === this.#socket && (!state || state.ply > (this.#state?.ply ?? -1))) this.#again(0);
  }
}
