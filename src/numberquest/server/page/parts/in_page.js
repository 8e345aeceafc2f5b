// Python in this browser, in place of a server: the same questions and the same answers.

import { HOST } from '../host.js';

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
export function start() {
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

/**
 * Ask as a server is asked.
 * @param {string} path
 * @param {{ method: string, body: string, token: string, signal?: AbortSignal | undefined }} how
 * @returns {Promise<Response>}
 */
export async function answered(path, { method, body, token, signal }) {
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
    worker?.postMessage({ id, method, address: `api/${path}`, body, token });
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
