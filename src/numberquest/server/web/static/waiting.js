// What shows at once, however slow the line is: that something is under way, and that there is no connection.

/** @import { State } from './wire.d.ts' */

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
const KEPT = 'There is no connection to the server. What was open here can still be read; games go on when it is back.';
/** How often it is tried whether it is back, in milliseconds. */
const AGAIN = 5000;
let trying = 0;

/** Say whether what is seen is only what was kept here. @param {boolean} only */
export function onlyKept(only) {
  if (line.classList.toggle('on', only)) line.textContent ||= KEPT;
  else line.textContent = '';
  clearTimeout(trying);
  if (only) trying = window.setTimeout(tryAgain, AGAIN);
}

/** Not everything that brings the network back is told to the page. */
const tryAgain = () => void fetch('healthz').then(({ ok }) => onlyKept(!ok), () => onlyKept(true));

addEventListener('offline', () => onlyKept(true));
addEventListener('online', tryAgain);

// Only where the page came over a safe line: other ones have none.
const worker = navigator.serviceWorker?.register('sw.js').then(() => navigator.serviceWorker.ready, () => null);

/** Let something be kept, to be read without a network. @param {{ late?: string[], state?: State }} what */
export const keepHere = (what) => void worker?.then((found) => found?.active?.postMessage(what));

// At the first visit much of the page is there before the worker is.
if (navigator.serviceWorker)
  new PerformanceObserver((list) => {
    const late = /** @type {PerformanceResourceTiming[]} */ (list.getEntries()).filter(({ workerStart }) => !workerStart);
    if (late.length) keepHere({ late: late.map(({ name }) => name) });
  }).observe({ type: 'resource', buffered: true });
