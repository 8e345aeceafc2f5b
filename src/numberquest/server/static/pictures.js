// Small pictures of the boards for the front page.

import { svg } from './dom.js';

/** @typedef {SVGElement} Shape */
/** @type {(x: number, y: number, wide: number, tall: number, kind?: string, r?: number) => Shape} */
const box = (x, y, wide, tall, kind = 'w', r = 6) =>
  svg('rect', { x, y, width: wide, height: tall, rx: r, class: kind });
/** @type {(cx: number, cy: number, r: number, kind?: string) => Shape} */
const dot = (cx, cy, r, kind = 'w') => svg('circle', { cx, cy, r, class: kind });
/** @type {(x: number, y: number, text: string | number, size?: number, kind?: string) => Shape} */
const word = (x, y, text, size = 20, kind = 'i') =>
  svg('text', { x, y: y + size * 0.35, 'font-size': size, 'text-anchor': 'middle', class: kind }, text);
/** @type {(d: string, kind?: string) => Shape} */
const path = (d, kind = 'l') => svg('path', { d, class: kind });
/** A tile with a number. @param {number} x @param {number} y @param {string | number} text @param {string} [kind] */
const tile = (x, y, text, kind) => [
  box(x, y + 3, 32, 34, 'i'),
  box(x, y, 32, 34, kind),
  word(x + 16, y + 17, text, 20, kind && kind !== 'w' ? 'o' : 'i'),
];
/** Somebody's mark. @param {number} x @param {number} y @param {1 | 2} seat */
const piece = (x, y, seat) => (seat === 1 ? dot(x, y, 8, 'one') : path(`M${x} ${y - 10}l10 10-10 10-10-10z`, 'two'));

const PICTURES = /** @type {Record<string, () => Shape[]>} */ ({
  fifty: () => [
    box(16, 76, 168, 8, 'w', 4),
    ...[0, 1, 2, 3, 4, 5].map((n) => dot(20 + n * 32, 80, 2, 'i')),
    piece(116, 80, 1),
    piece(148, 80, 2),
    ...tile(30, 20, 6),
    word(76, 38, '×'),
    ...tile(90, 20, 8),
    word(136, 38, '+'),
    ...tile(150, 20, 2),
  ],
  grid: () =>
    [0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap((n) => {
      const [x, y, open] = [58 + (n % 3) * 29, 7 + Math.floor(n / 3) * 29, { 1: 9, 3: 2, 8: 4 }[n]];
      return open
        ? [box(x, y, 26, 26, 'w', 5), word(x + 13, y + 13, open, 16)]
        : [box(x, y, 26, 26, 'a', 5), path(`M${x + 7} ${y + 13}l6-6 6 6-6 6z`, 'w')];
    }),
  sumquest: () => [
    path('M24 24H156a13 13 0 0 1 0 26H44a13 13 0 0 0 0 26H160'),
    ...[24, 57, 90, 123].map((x) => dot(x, 24, 7, 'a')),
    dot(156, 24, 7),
    dot(150, 50, 7, 'w'),
    ...[117, 84, 51].map((x) => dot(x, 50, 7)),
    ...[57, 90, 123].map((x) => dot(x, 76, 7)),
    dot(160, 76, 15, 'i'),
    word(160, 76, 23, 15, 'o'),
    piece(123, 24, 1),
    piece(156, 24, 2),
  ],
  mystic: () =>
    [8, 4, 0]
      .map((n) => box(44 + n, 18 - n / 2, 44, 60, n ? 'w' : 'a', 7))
      .concat([
        path('M66 34l12 14-12 14-12-14z', 'w'),
        path('M96 40q8-12 16-6', 'l'),
        box(114, 17, 46, 62, 'i', 7),
        box(114, 13, 46, 62, 'w', 7),
        word(137, 44, 7, 34),
      ]),
  showdown: () => [
    path('M24 12h58a8 8 0 0 1 8 8v18a8 8 0 0 1-8 8H46l-10 10V46H24a8 8 0 0 1-8-8V20a8 8 0 0 1 8-8z', 'w'),
    word(53, 29, '45!', 20, 'one'),
    path('M118 12h58a8 8 0 0 1 8 8v18a8 8 0 0 1-8 8h-12v10l-10-10h-36a8 8 0 0 1-8-8V20a8 8 0 0 1 8-8z', 'w'),
    word(147, 29, '44?', 20, 'two'),
    ...[3, 8, 1, 6].flatMap((n, at) => [box(46 + at * 28, 62, 24, 24, 'w', 5), word(58 + at * 28, 74, n, 14)]),
  ],
  puzzle: () => [...tile(34, 28, 4), ...tile(84, 22, '?', 'i'), ...tile(134, 28, 9)],
  review: () => [
    path('M24 80H180M24 45H180'),
    path('M24 45L50 40 76 52 102 30 128 62 154 20 178 14', 'curve'),
    dot(128, 62, 6, 'one'),
    dot(178, 14, 6, 'two'),
  ],
});

/** @param {string} name a game, or `puzzle` or `review` */
export const picture = (name) =>
  svg('svg', { viewBox: '0 0 200 96', 'aria-hidden': 'true' }, ...(PICTURES[name]?.() ?? []));
