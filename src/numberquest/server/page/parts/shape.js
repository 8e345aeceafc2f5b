// What comes from somebody else's game is data of a known shape and size, or it is nothing. Texts of it are shown as text,
// without signs that turn what stands beside them around, and never more of them than fits.

/** What has another shape than it should. */
export class Strange extends Error {}

/** @template T @typedef {(value: unknown) => T} Shape */

/** Signs that are not seen, or that change how others are seen; those that join letters and pictures stay. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;
const JOINERS = '\u200c\u200d';
/** More marks on one sign climb into other lines. */
const MARKS = /(\p{M}{3})\p{M}+/gu;

/** A text as it may be shown. @param {string} said @param {number} most */
export const clean = (said, most) =>
  [...said.slice(0, 8 * most).normalize('NFC').replace(UNSEEN, (sign) => (sign === '\n' || JOINERS.includes(sign) ? sign : ' ')).replace(MARKS, '$1')]
    .slice(0, most)
    .join('');

/** @param {boolean} right */
function must(right) {
  if (!right) throw new Strange();
}

/** @param {number} most @returns {Shape<string>} */
export const text = (most) => (value) => (must(typeof value === 'string'), clean(/** @type {string} */ (value), most));
/** One of these words. @template {string | number} T @param {...T} words @returns {Shape<T>} */
export const oneOf = (...words) => (value) => (must(words.includes(/** @type {T} */ (value))), /** @type {T} */ (value));
/** @param {number} low @param {number} high @returns {Shape<number>} */
export const number = (low, high) => (value) => (must(typeof value === 'number' && value >= low && value <= high), /** @type {number} */ (value));
/** @param {number} low @param {number} high @returns {Shape<number>} */
export const whole = (low, high) => (value) => (must(Number.isInteger(value)), number(low, high)(value));
/** @type {Shape<boolean>} */
export const truth = (value) => (must(typeof value === 'boolean'), !!value);
/** Or nothing. @template T @param {Shape<T>} of @returns {Shape<T | null>} */
export const maybe = (of) => (value) => (value === null || value === undefined ? null : of(value));
/** As it is left out. @template T @param {Shape<T>} of @returns {Shape<T | undefined>} */
export const optional = (of) => (value) => maybe(of)(value) ?? undefined;
/** @template T @param {Shape<T>} of @param {number} most @returns {Shape<T[]>} */
export const list = (of, most) => (value) => (must(Array.isArray(value) && value.length <= most), /** @type {unknown[]} */ (value).map(of));
/** One of these, whichever fits first. @param {...Shape<any>} shapes @returns {Shape<any>} */
export const either = (...shapes) => (value) => {
  for (const shape of shapes) {
    try {
      return shape(value);
    } catch (error) {
      if (!(error instanceof Strange)) throw error;
    }
  }
  throw new Strange();
};
/** Just these fields. @template {Record<string, Shape<any>>} T @param {T} fields @returns {Shape<{ [K in keyof T]: ReturnType<T[K]> }>} */
export const record = (fields) => (value) => {
  must(typeof value === 'object' && value !== null && !Array.isArray(value));
  const given = /** @type {Record<string, unknown>} */ (value);
  return /** @type {any} */ (Object.fromEntries(Object.entries(fields).map(([name, shape]) => [name, shape(Object.hasOwn(given, name) ? given[name] : undefined)])));
};
