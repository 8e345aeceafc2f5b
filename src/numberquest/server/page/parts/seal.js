// Whether the hidden numbers were settled before the game: docs/seeds.md says in words what is worked out here.
// The browser's own SHA-256 is missing on plain http pages, such as those of a local network, so there is one here.

/** @import { Line, Seal } from '../wire.d.ts' */

/** SHA-256 takes its constants from the first primes: 32 bits of what stands behind the point in their roots. */
const PRIMES = [...Array(312).keys()].filter((n) => n > 1 && ![...Array(n).keys()].some((d) => d > 1 && n % d === 0));
const bits = (/** @type {number} */ root) => ((root % 1) * 2 ** 32) | 0;
const ROUNDS = PRIMES.map((prime) => bits(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => bits(Math.sqrt(prime)));
const WORDS = 2n ** 64n;

/**
 * The SHA-256 of a text, as 64 hexadecimal digits.
 * @param {string} text
 */
export function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(((bytes.length + 8) >> 6 << 6) + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  const state = [...START];
  const turned = (/** @type {number} */ x, /** @type {number} */ by) => (x >>> by) | (x << (32 - by));
  for (let block = 0; block < padded.length; block += 64) {
    const w = new Int32Array(64);
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      if (i < 16) {
        w[i] = view.getInt32(block + i * 4);
      } else {
        const [x, y] = [w[i - 15], w[i - 2]];
        w[i] = w[i - 16] + (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) + w[i - 7] + (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10));
      }
      const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + w[i];
      const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((x, at) => (state[at] = (state[at] + x) | 0));
  }
  return state.map((x) => (x >>> 0).toString(16).padStart(8, '0')).join('');
}

/**
 * Random numbers from a seed, for one purpose: each call gives the next one that is below a bound.
 * @param {string} seed
 * @param {string} label
 * @returns {(bound: number) => number}
 */
function stream(seed, label) {
  /** @type {bigint[]} */
  let words = [];
  let block = 0;
  return (bound) => {
    for (;;) {
      if (!words.length) {
        const digest = sha256(`numberquest/1/${label}/${seed}/${block++}`);
        words = [0, 16, 32, 48].map((at) => BigInt('0x' + digest.slice(at, at + 16)));
      }
      const word = /** @type {bigint} */ (words.shift());
      if (word < WORDS - (WORDS % BigInt(bound))) return Number(word % BigInt(bound));
    }
  };
}

/**
 * The numbers of a deck in the order that a seed puts them in.
 * @param {string} seed
 * @param {number[]} deck
 */
export function dealt(seed, deck) {
  const below = stream(seed, 'deal');
  const order = [...deck];
  for (let last = order.length - 1; last > 0; last--) {
    const other = below(last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order.map(String);
}

/**
 * What a seed draws after so many draws.
 * @param {string} seed
 * @param {number} before
 * @param {string[]} faces
 * @param {number[]} weights
 */
export function drawn(seed, before, faces, weights) {
  let at = stream(seed, `draw ${before}`)(weights.reduce((sum, weight) => sum + weight, 0));
  return faces.find((_, face) => (at -= weights[face] ?? 0) < 0);
}

/**
 * Whether the secret fits the fingerprint from the start, and everything that was revealed fits the secret.
 * @param {Seal} seal
 * @param {Line[]} history
 * @param {Record<string, string>} [seals] of choices made in secret, as this browser saw them first
 * @returns {{fits: boolean, words: string}}
 */
export function check(seal, history, seals = {}) {
  const { seed, commitment, deck } = seal;
  if (seed === null) return { fits: false, words: 'The secret is shown when the game is over.' };
  if (sha256(seed) !== commitment) {
    return { fits: false, words: 'The secret does not fit the fingerprint that was shown at the start.' };
  }
  const sealed = history.map((line, at) => seals[at] ?? line.sealed ?? '');
  const broken = history.findIndex(({ entry }, at) => sealed[at] && sha256(`${seed}/${at}/${entry}`) !== sealed[at]);
  if (broken >= 0) return { fits: false, words: `The choice ${history[broken]?.entry} is not the one that was sealed.` };
  const order = dealt(seed, deck);
  const reveals = history.filter(({ player }) => !player);
  for (const [before, { entry, place, faces, weights }] of reveals.entries()) {
    const due = place === undefined ? drawn(seed, before, faces ?? [], weights ?? []) : order[place];
    if (entry === due) continue;
    const where = place === undefined ? `as draw number ${before + 1}` : `in place ${place + 1}`;
    return { fits: false, words: `The secret puts ${due} ${where}, but ${entry} came up there.` };
  }
  const kept = sealed.some(Boolean) ? ', and so does every choice that was sealed' : '';
  if (!reveals.length) return { fits: true, words: `The secret fits the fingerprint from the start${kept}.` };
  const all = deck.length ? 'every number lay where the secret puts it' : 'every draw is the one that the secret makes';
  return { fits: true, words: `The secret fits the fingerprint from the start, and ${all}${kept}.` };
}
