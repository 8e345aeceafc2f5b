// A link as a QR code (ISO/IEC 18004): bytes, error correction of level M, versions 1 to 20.

import { svg } from './dom.js';

/** For each version from 1 on: bytes of correction in a block, and how many blocks. */
const CORRECTION = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];
/** So many modules around it stay white. */
const QUIET = 4;

/** Powers of 2 in the field of 256 elements, and their logarithms. */
const [POWERS, LOGS] = [new Uint8Array(255), new Uint8Array(256)];
for (let at = 0, value = 1; at < 255; at++) {
  [POWERS[at], LOGS[value]] = [value, at];
  value = (value << 1) ^ (value > 127 ? 0x11d : 0);
}
/** @param {number} a @param {number} b */
const times = (a, b) => (a && b ? (POWERS[((LOGS[a] ?? 0) + (LOGS[b] ?? 0)) % 255] ?? 0) : 0);

/** The bytes that let a block be mended: what is left when it is divided by a polynomial of this degree. @param {number[]} data @param {number} degree */
function correction(data, degree) {
  /** @type {number[]} */
  let divisor = [1];
  for (let at = 0; at < degree; at++) {
    const longer = [...divisor, 0];
    divisor.forEach((one, n) => (longer[n + 1] = (longer[n + 1] ?? 0) ^ times(one, POWERS[at] ?? 0)));
    divisor = longer;
  }
  const rest = Array(degree).fill(0);
  for (const byte of data) {
    const factor = byte ^ rest.shift();
    rest.push(0);
    for (let n = 0; n < degree; n++) rest[n] ^= times(divisor[n + 1] ?? 0, factor);
  }
  return rest;
}

/** Where the small squares lie, along one side. @param {number} version */
function squares(version) {
  if (version === 1) return [];
  const many = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (many * 2 - 2)) * 2;
  return [6, ...Array.from({ length: many - 1 }, (_, at) => version * 4 + 10 - (many - 2 - at) * step)];
}

/** How many bytes there are for data and correction. @param {number} version */
function room(version) {
  const many = squares(version).length;
  const side = version * 4 + 17;
  // Three large squares, two lines, what is said of the code itself, and the small squares, some of them on the lines.
  const small = many ? 25 * (many ** 2 - 3) - 10 * (many - 2) : 0;
  return Math.floor((side ** 2 - 3 * 64 - 2 * (side - 16) - 31 - small - (version > 6 ? 36 : 0)) / 8);
}

/** A number followed by what is left of it divided by another, bit by bit. @param {number} value @param {number} bits @param {number} divisor */
function checked(value, bits, divisor) {
  let rest = value << bits;
  for (let at = 31; at >= bits; at--) if ((rest >>> at) & 1) rest ^= divisor << (at - bits);
  return (value << bits) | rest;
}

/** All bytes in the order in which they are drawn. @param {Uint8Array} text @param {number} version */
function bytes(text, version) {
  const [degree, many] = [CORRECTION[version - 1] ?? 0, BLOCKS[version - 1] ?? 1];
  const all = room(version);
  const size = all - degree * many;
  const bits = [4, 4].concat([text.length, version < 10 ? 8 : 16], [...text].flatMap((byte) => [byte, 8]), [0, 4]);
  let written = '';
  for (let at = 0; at < bits.length; at += 2) written += (bits[at] ?? 0).toString(2).padStart(bits[at + 1] ?? 0, '0');
  const data = (written.slice(0, size * 8).match(/.{1,8}/g) ?? []).map((byte) => parseInt(byte.padEnd(8, '0'), 2));
  for (let fill = 0xec; data.length < size; fill ^= 0xfd) data.push(fill);
  const short = Math.floor(size / many);
  /** @type {number[][]} */
  const blocks = [];
  for (let at = 0, from = 0; at < many; at++) {
    const to = from + short + (at < many - (size % many) ? 0 : 1);
    blocks.push(data.slice(from, to));
    from = to;
  }
  const mending = blocks.map((block) => correction(block, degree));
  const woven = (/** @type {number[][]} */ rows, /** @type {number} */ long) =>
    Array.from({ length: long }, (_, at) => rows.flatMap((row) => (at < row.length ? [row[at] ?? 0] : []))).flat();
  return [...woven(blocks, short + 1), ...woven(mending, degree)];
}

/** Which modules a mask turns over. @type {((row: number, column: number) => boolean)[]} */
const MASKS = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** The modules, row by row; null where the text is too long. @param {string} text @returns {boolean[][] | null} */
export function modules(text) {
  const utf8 = new TextEncoder().encode(text);
  const fits = (/** @type {number} */ version) =>
    utf8.length + (version < 10 ? 2 : 3) <= room(version) - (CORRECTION[version - 1] ?? 0) * (BLOCKS[version - 1] ?? 0);
  const version = BLOCKS.findIndex((_, at) => fits(at + 1)) + 1;
  return version ? MASKS.map((_, mask) => drawn(bytes(utf8, version), version, mask)).sort((a, b) => ugliness(a) - ugliness(b))[0] ?? null : null;
}

/** @param {number[]} data @param {number} version @param {number} mask */
function drawn(data, version, mask) {
  const side = version * 4 + 17;
  /** @type {(boolean | null)[][]} */
  const rows = Array.from({ length: side }, () => Array(side).fill(null));
  const put = (/** @type {number} */ r, /** @type {number} */ c, /** @type {boolean} */ dark) => {
    const row = rows[r];
    if (row && c >= 0 && c < side) row[c] = dark;
  };
  const square = (/** @type {number} */ r, /** @type {number} */ c, /** @type {number} */ reach, /** @type {number[]} */ light) => {
    for (let y = -reach; y <= reach; y++) for (let x = -reach; x <= reach; x++) put(r + y, c + x, !light.includes(Math.max(Math.abs(x), Math.abs(y))));
  };
  for (let at = 0; at < side; at++) (put(6, at, at % 2 === 0), put(at, 6, at % 2 === 0));
  for (const [r, c] of /** @type {[number, number][]} */ ([[3, 3], [3, side - 4], [side - 4, 3]])) square(r, c, 4, [2, 4]);
  const lines = squares(version);
  const corner = lines.length - 1;
  lines.forEach((r, y) => lines.forEach((c, x) => (x && y) || (x && x < corner) || (y && y < corner) ? square(r, c, 2, [1]) : null));
  // What is said of the code itself, twice: how it is mended and masked, and, of a large one, its version. Level M is 0.
  const format = checked(mask, 10, 0x537) ^ 0x5412;
  for (let at = 0; at < 15; at++) {
    const dark = ((format >>> at) & 1) === 1;
    put(at < 6 ? at : at < 8 ? at + 1 : side - 15 + at, 8, dark);
    put(8, at < 8 ? side - 1 - at : at < 9 ? 7 : 14 - at, dark);
  }
  put(side - 8, 8, true);
  const number = checked(version, 12, 0x1f25);
  for (let at = 0; at < 18 && version > 6; at++) {
    const [a, b, dark] = [side - 11 + (at % 3), Math.floor(at / 3), ((number >>> at) & 1) === 1];
    put(a, b, dark);
    put(b, a, dark);
  }
  // Up and down in strips of two columns, from the right, past the line that stands in the way.
  let at = 0;
  for (let right = side - 1; right > 0; right -= right === 8 ? 3 : 2)
    for (let step = 0; step < side; step++)
      for (const c of [right, right - 1]) {
        const r = ((right + 1) & 2) === 0 ? side - 1 - step : step;
        if (rows[r]?.[c] !== null) continue;
        const bit = ((data[at >> 3] ?? 0) >>> (7 - (at & 7))) & 1;
        put(r, c, (bit === 1) !== (MASKS[mask]?.(r, c) ?? false));
        at++;
      }
  return rows.map((row) => row.map(Boolean));
}

/** What makes a code hard to read: long runs, blocks, what looks like a large square, and too much of one colour. @param {boolean[][]} rows */
function ugliness(rows) {
  const side = rows.length;
  const lines = [...rows, ...rows.map((_, at) => rows.map((row) => row[at] ?? false))].map((line) => line.map(Number).join(''));
  let sum = 0;
  for (const line of lines) {
    for (const run of line.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    for (let at = 0; at < side; at++) if (/^(10111010000|00001011101)/.test(line.slice(at, at + 11))) sum += 40;
  }
  for (let r = 1; r < side; r++)
    for (let c = 1; c < side; c++) {
      const four = [rows[r]?.[c], rows[r]?.[c - 1], rows[r - 1]?.[c], rows[r - 1]?.[c - 1]];
      if (four.every((one) => one === four[0])) sum += 3;
    }
  const dark = rows.flat().filter(Boolean).length / side ** 2;
  return sum + 10 * Math.floor(Math.abs(dark * 20 - 10));
}

/** The code as a picture with this name; null where the text is too long. @param {string} text @param {string} name */
export function picture(text, name) {
  const rows = modules(text);
  if (!rows) return null;
  const side = rows.length + 2 * QUIET;
  const path = rows.flatMap((row, r) => row.map((dark, c) => (dark ? `M${c + QUIET} ${r + QUIET}h1v1h-1z` : ''))).join('');
  return svg(
    'svg',
    { class: 'qr', viewBox: `0 0 ${side} ${side}`, role: 'img', 'aria-label': name, 'shape-rendering': 'crispEdges' },
    svg('rect', { width: side, height: side, fill: '#fff' }),
    svg('path', { d: path, fill: '#000' }),
  );
}
