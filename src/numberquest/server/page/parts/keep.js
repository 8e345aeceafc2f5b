// What this browser remembers. In private mode it may have no storage: then it lasts as long as the page.

/** @import { Pair, Seat } from '../wire.d.ts' */

/**
 * @typedef {object} Seen A match that was open here.
 * @property {string} [token] opens the seat
 * @property {string} [invite] for the friend
 * @property {string} [commitment] as it was shown first
 * @property {Record<string, string>} [seals] of choices made in secret, as they were shown first, by their place in the history
 * @property {string} [title]
 * @property {string} [against]
 * @property {boolean} [over]
 * @property {string} [game] its name
 * @property {boolean} [house] whether it had house rules
 * @property {boolean} [hinted] whether the one who plays here took hints
 * @property {Seat} [seat] where the one who plays here sits, where it is one
 * @property {number} [at] when it was last looked at
 * @property {string} [level] who the other one is: a computer player, `friend`, or `screen` for two at one screen
 * @property {boolean} [practice] whether it was taken up from another game, or dealt from a known seed
 * @property {Pair<string>} [names]
 * @property {Seat | null} [winner] once it is over; null in a draw
 * @property {boolean} [here] whether it is in this browser, and not at the server
 * @property {boolean} [gone] whether the server no longer has it
 * @property {number} [ended] when that was seen here
 * @property {Pair<number> | null} [key] in how many key moments the one who plays here made no mistake, and how many those were
 */

/** @type {Map<string, string>} */
const memory = new Map();
const MATCH = 'match.';
const JOIN = 'join.';
/** So many matches are remembered; a seat in one that goes on is never forgotten for others. */
const MOST = 300;

/**
 * @template T
 * @param {string} name
 * @param {T} otherwise
 * @returns {T}
 */
export function get(name, otherwise) {
  let text = memory.get(name) ?? null;
  try {
    text = localStorage.getItem('nq.' + name) ?? text;
  } catch {
    // No storage: what this page remembers itself is all there is.
  }
  try {
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/**
 * @param {string} name
 * @param {unknown} value
 */
export function set(name, value) {
  const text = JSON.stringify(value);
  memory.set(name, text);
  try {
    localStorage.setItem('nq.' + name, text);
  } catch {
    // No storage, or it is full: the page remembers it as long as it is open.
  }
}

/** @param {string} name */
export function forget(name) {
  memory.delete(name);
  try {
    localStorage.removeItem('nq.' + name);
  } catch {
    // Nothing is kept there.
  }
}

/** Forget what has such a name and was kept longer ago than that. @param {string} start @param {number} age in milliseconds */
export function forgetOld(start, age) {
  for (const name of names()) if (name.startsWith(start) && Date.now() - (get(name, { at: 0 }).at ?? 0) > age) forget(name);
}

/** @param {string} id @returns {Seen} */
export const match = (id) => get(MATCH + id, {});

/** The key that this browser joins a match with: the same in every tab. @param {string} id @param {() => string} make */
export function joinKey(id, make) {
  const key = get(JOIN + id, '') || make();
  set(JOIN + id, key);
  return key;
}

/** @param {string} id @param {Seen} more */
export function note(id, more) {
  const before = match(id);
  set(MATCH + id, { ...before, ...more, at: Date.now() });
  if (before.at !== undefined) return;
  for (const [old] of matches().slice(MOST).filter(([, { token, over }]) => over || !token)) remove(old);
}

/** Forget a match. @param {string} id */
export function remove(id) {
  forget(MATCH + id);
  forget(JOIN + id);
}

/** The names of all that is kept. */
function names() {
  const found = new Set(memory.keys());
  try {
    Object.keys(localStorage).forEach((name) => name.startsWith('nq.') && found.add(name.slice(3)));
  } catch {
    // Only what this page remembers.
  }
  return [...found];
}

/** Every match that was open here, newest first. @returns {[string, Seen][]} */
export function matches() {
  return names()
    .filter((name) => name.startsWith(MATCH))
    .map((name) => name.slice(MATCH.length))
    .map((id) => /** @type {[string, Seen]} */ ([id, match(id)]))
    .sort((a, b) => (b[1].at ?? 0) - (a[1].at ?? 0));
}
