// One's turn, told where the page is not seen: in the title of the tab, and by the system where somebody wished for it.

import { flip } from './fields.js';
import * as keep from './keep.js';
import { turnWords } from './words.js';

/** @import { Context, Shown } from '../page.d.ts' */
/** @import { State } from '../wire.d.ts' */

const REFUSED = 'Your browser does not let this page do that. Look into its settings for this page.';

/** Whether somebody here is to move, against somebody elsewhere. @param {Shown} shown @param {State} state */
const mine = ({ seats }, state) => seats.length === 1 && !state.outcome && state.turn === seats[0];

/** What the tab is called. @param {Shown} shown */
export const titled = (shown) => `${document.hidden && mine(shown, shown.state) ? '● ' : ''}${turnWords(shown)} – ${shown.state.short_title}`;

/** Tell that one's turn has come, if nobody looks. @param {State} before @param {Shown} shown */
export function call(before, shown) {
  const { state, teller, id } = shown;
  const moved = state.history.length !== before.history.length || state.turn !== before.turn;
  if (!document.hidden || !moved || !mine(shown, state) || !keep.get('call', false) || Notification.permission !== 'granted') return;
  const last = state.history.at(-1);
  const options = { body: last ? teller.line(last) : undefined, tag: id, icon: new URL('static/icon-192.png', document.baseURI).href };
  try {
    const told = new Notification(titled(shown), options);
    told.onclick = () => (window.focus(), told.close());
  } catch {
    // On a phone only the service worker may.
    void navigator.serviceWorker?.ready.then((worker) => worker.showNotification(titled(shown), options));
  }
}

/** Asks the browser for leave when it is switched on, and never before. @param {Context} context */
export function callSwitch({ tell }) {
  if (!('Notification' in window)) return null;
  const change = async (/** @type {HTMLInputElement} */ box) => {
    const may = !box.checked || (await Notification.requestPermission()) === 'granted';
    keep.set('call', box.checked && may);
    if (may) return;
    box.checked = false;
    tell(REFUSED);
  };
  const on = keep.get('call', false) && Notification.permission === 'granted';
  return flip(on, 'Call me when it is my turn', change);
}
