// What became of the daily puzzles, step by step, and for how many days in a row they were solved. This stays in the browser.

import * as keep from './keep.js';

/** What became of one step: right at the first try, right later, or shown. @typedef {'first' | 'later' | 'shown' | 'trying'} How */
/** @typedef {{ move: string, how: How }} Step */
/** A day: what became of it as a whole, and its steps (days from before there were steps have none). @typedef {{ how: How, steps?: (Step | null)[] }} Day */

export const DAYS = 'puzzle.days';
/** So many days are remembered. */
const MOST = 1000;
/** From easy to hard. */
export const STEPS = 3;

/** The date so many days ago, written 2026-01-31: the same all over the world, for everybody has the same puzzle. @param {number} [ago] */
export const day = (ago = 0) => new Date(Date.now() - ago * 864e5).toISOString().slice(0, 10);

/** When the next day begins. */
export const nextDay = () => new Date(Date.parse(day()) + 864e5);

/** @param {string} date @returns {Day | undefined} */
export const on = (date) => keep.get(DAYS, /** @type {Record<string, Day>} */ ({}))[date];

/** The day of the first puzzle here; today where there was none yet. */
export const began = () => Object.keys(keep.get(DAYS, {})).sort()[0] ?? day();

/** The steps of a day that were begun. @param {string} date @returns {(Step | null)[]} */
export const stepsOn = (date) => on(date)?.steps ?? [];

/** Whether a step is settled: it was solved, or the answer was shown. @param {Step | null | undefined} step */
export const settled = (step) => !!step && step.how !== 'trying';

/** @param {string} date @param {number} step counted from 1 @param {Step} what */
export function note(date, step, what) {
  const steps = Array.from({ length: STEPS }, (_, at) => (at === step - 1 ? what : (stepsOn(date)[at] ?? null)));
  const hows = steps.map((one) => one?.how ?? 'trying');
  // The day is what its worst step is.
  const how = /** @type {How[]} */ (['shown', 'trying', 'later', 'first']).find((one) => hows.includes(one)) ?? 'trying';
  const all = Object.entries({ ...keep.get(DAYS, {}), [date]: { how, steps } });
  keep.set(DAYS, Object.fromEntries(all.sort().slice(-MOST)));
}

/** Days in a row on which every step was solved. Today may still be open; whoever had an answer shown has broken it. */
export function streak() {
  const solved = (/** @type {number} */ ago) => ['first', 'later'].includes(on(day(ago))?.how ?? '');
  const first = solved(0) || on(day())?.how === 'shown' ? 0 : 1;
  let ago = first;
  while (solved(ago)) ago++;
  return ago - first;
}

/** The signs of a result: green at the first try, yellow later, red for an answer that was shown. */
const SIGNS = { first: '🟢', later: '🟡', shown: '🔴', trying: '⚪' };
/** A day in signs, which give no answer away. @param {string} date */
export const signs = (date) => Array.from({ length: STEPS }, (_, at) => SIGNS[stepsOn(date)[at]?.how ?? 'trying']).join('');
