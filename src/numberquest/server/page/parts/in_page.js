// Python in this browser, in place of a server: the same questions and the same answers.

import { HOST } from '../host.js';
import * as keep from './keep.js';

/** @typedef {(said: { status: number, kind: string, text: string }) => void} Done */

/** @type {Worker | null} */
let worker = null;
let asked = 0;
/** @type {Map<number, Done>} */
const waiting = new Map();
/** @type {Map<number, InPageSocket>} */
const lines = new Map();
const banner = /** @type {HTMLElement} */ (document.getElementById('banner'));

let loaded = 0;
let doing = '';

/** How far it is, said to whoever waits for it. */
function tell() {
  banner.textContent = loaded < 100 && waiting.size + lines.size ? `${doing}: ${loaded} %` : '';
  banner.classList.toggle('on', banner.textContent !== '');
}

/** @param {string} why */
function failed(why) {
  for (const done of waiting.values())
    done({ status: 500, kind: 'application/json', text: JSON.stringify({ code: 'internal', error: `The games could not be loaded here (${why}).` }) });
  waiting.clear();
  for (const line of lines.values()) line.onclose?.();
  lines.clear();
  worker?.terminate();
  worker = null;
  loaded = 0;
  tell();
}

/** Begin to load it. */
function start() {
  if (worker || !HOST) return;
  worker = new Worker(new URL(HOST.worker, document.baseURI), { type: 'module' });
  worker.postMessage({ from: HOST.from.map((one) => new URL(one, document.baseURI).href) });
  worker.onerror = (event) => failed(event.message || 'it is not there');
  worker.onmessage = ({ data }) => {
    if ('progress' in data) {
      ({ progress: loaded, what: doing } = data);
      tell();
    }
    else if ('failed' in data) failed(data.failed);
    else if ('said' in data) lines.get(data.line)?.onmessage?.({ data: data.said });
    else if ('ended' in data) lines.get(data.ended)?.end();
    else {
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
    }
  };
}

/** Whether the Python in this browser knows a match, and no server. @param {string} match */
const keptHere = (match) => !!HOST?.alone || !!keep.match(match).here;

/** @typedef {{ method: string, headers: Record<string, string>, body: string | null, signal: AbortSignal | null }} Request */

/** The answer to what no server is asked; null of all else. @param {string} path @param {Request} request */
export const first = (path, request) => (keptHere(/^matches\/([^/?]+)/.exec(path)?.[1] ?? '') ? answered(path, request) : null);

/** The answer while there is no server; null where it takes a friend. @param {string} path @param {Request} request */
export async function instead(path, request) {
  if (HOST?.alone || /^(matches\/|qr-codes)/.test(path) || request.body?.includes('"opponent":"friend"')) return null;
  const answer = await answered(path, request).catch(() => null);
  // A match that begins here is here.
  if (path === 'matches' && answer?.ok) keep.note((await answer.clone().json()).match, { here: true });
  return answer;
}

/** Have all that it takes kept, and the screens that were not fetched yet. @param {(what: { python: string[], late: string[] }) => void} keepHere */
export function fetchAll(keepHere) {
  if (/** @type {any} */ (navigator).connection?.saveData) return;
  keepHere({ python: HOST?.files ?? [], late: [new URL('static/style/match.css', document.baseURI).href] });
  void import('../screens/lesson.js');
}

/** Said after that there is no connection. */
export const GOES_ON = ' Against the computer, at one screen, lessons and puzzles: all that goes on without it.';

/** What a match is heard over that is in this browser; null of those at a server. @param {string} match */
export const socketOf = (match) => (keptHere(match) ? InPageSocket : null);

/** @param {string} path @param {Request} request @returns {Promise<Response>} */
async function answered(path, { method, headers, body, signal }) {
  const known = HOST?.known[path];
  if (known && method === 'GET') return fetch(known);
  start();
  const id = ++asked;
  // Nothing else ends what Python is busy with; matches are kept, and it is loaded anew when it is needed.
  signal?.addEventListener('abort', () => waiting.has(id) && failed('it was stopped'));
  /** @type {{ status: number, kind: string, text: string }} */
  const { status, kind, text } = await new Promise((done) => {
    waiting.set(id, done);
    tell();
    worker?.postMessage({ id, method, address: `api/${path}`, body: body ?? '', token: headers['Authorization']?.slice('Bearer '.length) ?? '' });
  });
  return new Response(text, { status, headers: { 'Content-Type': kind } });
}

/** A live connection, as a WebSocket is used. */
export class InPageSocket {
  /** @type {(() => void) | null} */ onopen = null;
  /** @type {(() => void) | null} */ onclose = null;
  /** @type {((event: { data: string }) => void) | null} */ onmessage = null;

  /** @param {string} match */
  constructor(match) {
    start();
    this.name = ++asked;
    lines.set(this.name, this);
    worker?.postMessage({ open: this.name, match });
    queueMicrotask(() => this.onopen?.());
  }

  /** @param {string} said */
  send(said) {
    worker?.postMessage({ line: this.name, said });
  }

  close() {
    if (lines.delete(this.name)) worker?.postMessage({ close: this.name });
  }

  end() {
    this.close();
    this.onclose?.();
  }
}

if (HOST?.alone) start();
