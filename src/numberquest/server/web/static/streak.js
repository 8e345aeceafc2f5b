// For how many days in a row the daily puzzle was solved at the first try. This stays in the browser.

import * as keep from './keep.js';

/** What became of a day's puzzle. @typedef {{ move: string, how: 'first' | 'later' | 'shown' | 'trying' }} Day */

const DAYS = 'puzzle.days';
/** So many days are remembered. */
const MOST = 1000;

/** The date so many days ago, written 2026-01-31: the same all over the world, for everybody has the same puzzle. @param {number} [ago] */
export const day = (ago = 0) => new Date(Date.now() - ago * 864e5).toISOString().slice(0, 10);

/** When the next day begins. */
export const nextDay = () => new Date(Date.parse(day()) + 864e5);

/** @param {string} date @returns {Day | undefined} */
export const on = (date) => keep.get(DAYS, /** @type {Record<string, Day>} */ ({}))[date];

/** @param {string} date @param {Day} what */
export function note(date, what) {
  const all = Object.entries({ ...keep.get(DAYS, {}), [date]: what });
  keep.set(DAYS, Object.fromEntries(all.sort().slice(-MOST)));
}

/** Today may still be open; who has gone wrong today has broken it. */
export function streak() {
  const first = on(day()) ? 0 : 1;
  let ago = first;
  while (on(day(ago))?.how === 'first') ago++;
  return ago - first;
}
