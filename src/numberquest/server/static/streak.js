// For how many days in a row the daily puzzle was solved at the first try. This stays in the browser.

import * as keep from './keep.js';

/** What became of a day's puzzle. @typedef {{ move: string, how: 'first' | 'later' | 'shown' | 'trying' }} Day */

const DAYS = 'puzzle.days';
/** So many days are remembered. */
const MOST = 1000;

/** The date here so many days ago, written 2026-01-31. @param {number} [ago] */
export function day(ago = 0) {
  const now = new Date();
  return new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate() - ago)).toISOString().slice(0, 10);
}

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
