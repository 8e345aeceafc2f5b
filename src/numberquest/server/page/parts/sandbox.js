// Somebody else's Python, where it harms nobody: in a worker of a frame that has no origin, so no storage, no network
// and nothing of the page. The page only ever asks, and looks at what is answered; a watchdog ends what takes too long.

import { HOST } from '../host.js';
import { errorWords } from './dom.js';

/** So many seconds each thing may take. @type {Record<string, number>} */
const PATIENCE = { ready: 120, 'check-draft': 10, 'try-draft': 15, 'measure-draft': 60 };
/** So many signs an answer may have. */
const LARGEST = 1 << 20;
/** What the frame may do: run its one script, and start a worker of what it is given. */
const POLICY = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; worker-src blob: data:; connect-src blob:";

export const STRANGE = 'It said something that no game says, and was ended.';
const DIED = 'It broke down, and was ended.';

/** Why a frame was ended. */
export class Ended extends Error {}

/** Whether Python is to be had in this browser. */
export const hasPython = !!HOST?.guest;

/** @param {string} path */
async function fetched(path) {
  const answer = await fetch(new URL(path, document.baseURI));
  if (!answer.ok) throw new Ended('Python could not be fetched.');
  return answer.arrayBuffer();
}

/** A frame of its own for each game that comes from elsewhere: what one game has done there meets no other. */
export class Sandbox {
  /** @type {HTMLIFrameElement | null} */ #frame = null;
  /** @type {MessagePort | null} */ #port = null;
  /** @type {Promise<void> | null} */ #ready = null;
  /** @type {Promise<unknown>} */ #last = Promise.resolve();
  /** @type {{ done: (text: string) => void, failed: (error: Error) => void } | null} */ #waiting = null;
  /** Why nothing is asked of it any more. @type {Ended | null} */ #ended = null;

  /** Whether it was ended: then somebody who wants to go on takes another. */
  get over() {
    return this.#ended !== null;
  }

  /** When Python is there. @returns {Promise<void>} */
  loaded() {
    return (this.#ready ??= this.#start().catch((error) => Promise.reject(this.end(errorWords(error)))));
  }

  /** Ask one thing after the other. @param {{ task: string }} task @returns {Promise<unknown>} */
  ask(task) {
    const answer = this.#last.then(async () => {
      await this.loaded();
      const text = await this.#answer(task.task, () => this.#port?.postMessage(JSON.stringify(task)));
      try {
        return JSON.parse(text);
      } catch {
        throw this.end(STRANGE);
      }
    });
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  /** Nothing of it goes on. @param {string} why */
  end(why) {
    this.#ended ??= new Ended(why);
    this.#waiting?.failed(this.#ended);
    this.#waiting = this.#port = null;
    this.#frame?.remove();
    return this.#ended;
  }

  async #start() {
    const [home = '', ...wheels] = HOST?.from ?? [];
    const [frame, guest] = await Promise.all((HOST?.guest ?? []).map(fetched));
    const runtime = ['pyodide.mjs', 'pyodide.asm.mjs', 'pyodide.asm.wasm', 'python_stdlib.zip', 'pyodide-lock.json'];
    const [loader, module, ...files] = await Promise.all([...runtime.map((name) => home + name), ...wheels].map(fetched));
    const text = (/** @type {ArrayBuffer | undefined} */ bytes) => new TextDecoder().decode(bytes);
    if (this.#ended) throw this.#ended;
    const element = document.createElement('iframe');
    element.setAttribute('sandbox', 'allow-scripts');
    element.title = 'Python';
    element.hidden = true;
    element.srcdoc = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}"><script>${text(frame)}</script>`;
    this.#frame = element;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => this.#heard(data);
    await new Promise((done) => {
      element.onload = done;
      document.body.append(element);
    });
    await this.#answer('ready', () =>
      element.contentWindow?.postMessage({ loader, module, guest: text(guest), files }, '*', [port2, ...files]));
    this.#port = port1;
  }

  /** @param {string} what @param {() => void} send @returns {Promise<string>} */
  async #answer(what, send) {
    if (this.#ended) throw this.#ended;
    const seconds = PATIENCE[what] ?? 0;
    const watchdog = setTimeout(() => this.end(`It did not answer within ${seconds} seconds, and was ended: is there a loop that never ends?`), 1000 * seconds);
    try {
      return await new Promise((done, failed) => {
        this.#waiting = { done, failed };
        send();
      });
    } finally {
      clearTimeout(watchdog);
    }
  }

  /** @param {unknown} said */
  #heard(said) {
    const waiting = this.#waiting;
    if (!waiting || typeof said !== 'string' || !said || said.length > LARGEST) return void this.end(said === '' ? DIED : STRANGE);
    this.#waiting = null;
    waiting.done(said);
  }
}
