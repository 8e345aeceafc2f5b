// Whether the hidden numbers were settled before the game: docs/seeds.md says in words what is worked out here.
// The browser's own SHA-256 is missing on plain http pages, such as those of a local network, so there is one here.

/** @import { Board, Seal } from './wire.d.ts' */

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
 * The numbers in the order that a seed puts them in.
 * @param {string} seed
 * @param {number[]} deck ascending
 */
export function dealt(seed, deck) {
  /** @type {bigint[]} */
  let words = [];
  let block = 0;
  /** @param {bigint} bound */
  const below = (bound) => {
    for (;;) {
      if (!words.length) {
        const digest = sha256(`numberquest/1/deal/${seed}/${block++}`);
        words = [0, 16, 32, 48].map((at) => BigInt('0x' + digest.slice(at, at + 16)));
      }
      const word = /** @type {bigint} */ (words.shift());
      if (word < WORDS - (WORDS % bound)) return Number(word % bound);
    }
  };
  const order = [...deck];
  for (let last = order.length - 1; last > 0; last--) {
    const other = below(BigInt(last + 1));
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

/**
 * Whether the secret fits the fingerprint from the start, and every number that was seen fits the secret.
 * @param {Seal} seal
 * @param {Board} board the last one
 * @param {number[]} reveals every number that came up, in order
 * @returns {{fits: boolean, words: string}}
 */
export function check(seal, board, reveals) {
  if (seal.seed === null) return { fits: false, words: 'The secret is shown when the game is over.' };
  if (sha256(seal.seed) !== seal.commitment) {
    return { fits: false, words: 'The secret does not fit the fingerprint that was shown at the start.' };
  }
  const deal = dealt(seal.seed, [...reveals, ...('unseen' in board ? board.unseen : [])].sort((a, b) => a - b));
  const seen = 'cells' in board ? board.cells : reveals;
  const wrong = seen.findIndex((number, place) => number !== null && number !== deal[place]);
  if (wrong >= 0) {
    return { fits: false, words: `The secret puts ${deal[wrong]} in place ${wrong + 1}, but ${seen[wrong]} came up there.` };
  }
  return { fits: true, words: 'The secret fits the fingerprint from the start, and every number lay where the secret puts it.' };
}
