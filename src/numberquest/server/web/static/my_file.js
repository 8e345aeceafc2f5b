// What this browser remembers, as one file: to keep it, or to take it to another browser.

import { h } from './dom.js';
import * as keep from './keep.js';
import { DAYS } from './streak.js';

/** @import { Seen } from './keep.js' */

const KIND = 'number-quest-games';
/** No such file is longer, in bytes. */
const LONGEST = 2_000_000;

const text = (/** @type {unknown} */ value) => typeof value === 'string' && value.length <= 200;
const seat = (/** @type {unknown} */ value) => value === 1 || value === 2;
const number = (/** @type {unknown} */ value) => typeof value === 'number' && Number.isFinite(value);
const flag = (/** @type {unknown} */ value) => typeof value === 'boolean';
/** What may be remembered of a match, and what it looks like: a file can be anybody's. @type {Record<keyof Seen, (value: any) => boolean>} */
const FIELDS = {
  token: (value) => text(value) && /^[\w-]{32,64}$/.test(value),
  invite: (value) => text(value) && /^[\w-]{32,64}$/.test(value),
  commitment: text, title: text, against: text, level: text, over: flag, gone: flag, practice: flag, seat, at: number, ended: number,
  winner: (value) => value === null || seat(value),
  accuracy: (value) => value === null || (number(value) && value >= 0 && value <= 100),
  names: (value) => Array.isArray(value) && value.length === 2 && value.every(text),
};

/** Hand the file to whoever sits here. */
export function writeFile() {
  const kept = { kind: KIND, version: 1, name: keep.get('name', ''), days: keep.get(DAYS, {}), matches: Object.fromEntries(keep.matches()) };
  const address = URL.createObjectURL(new Blob([JSON.stringify(kept, null, 1)], { type: 'application/json' }));
  h('a', { href: address, download: `${KIND}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/**
 * Take in such a file; what is here already stays as it is. Answers what to say, and whether it was one.
 * @param {File | undefined} file
 * @returns {Promise<[string, boolean]>}
 */
export async function readFile(file) {
  if (!file) return ['', false];
  const no = `${file.name} is not a file of games that was saved here. Nothing is changed.`;
  if (file.size > LONGEST) return [no, false];
  let kept;
  try {
    kept = JSON.parse(await file.text());
  } catch {
    return [no, false];
  }
  if (kept?.kind !== KIND || typeof kept.matches !== 'object' || !kept.matches) return [no, false];
  if (!keep.get('name', '') && text(kept.name)) keep.set('name', kept.name.slice(0, 30));
  const days = Object.entries(kept.days ?? {}).filter(([date, one]) => /^\d{4}-\d\d-\d\d$/.test(date) && isDay(one));
  keep.set(DAYS, { ...Object.fromEntries(days), ...keep.get(DAYS, {}) });
  let added = 0;
  for (const [id, seen] of Object.entries(kept.matches)) {
    if (!/^[\w-]{12,32}$/.test(id) || typeof seen !== 'object' || !seen || keep.match(id).token) continue;
    const fields = Object.entries(FIELDS).filter(([name, fits]) => fits(seen[name])).map(([name]) => [name, seen[name]]);
    if (!fields.length) continue;
    keep.note(id, { ...Object.fromEntries(fields), ...keep.match(id) });
    added += 1;
  }
  return [`${added} ${added === 1 ? 'game was' : 'games were'} read from ${file.name}.`, true];
}

/** @param {any} one */
const isDay = (one) => ['first', 'later', 'shown', 'trying'].includes(one?.how)
  && (one.steps === undefined || (Array.isArray(one.steps) && one.steps.length <= 3 && one.steps.every((/** @type {any} */ step) => step === null || (text(step?.move) && text(step.how)))));
