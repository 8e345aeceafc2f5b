// Small pictures for the front page, and what they are made of.

import { svg } from '../parts/dom.js';

/** @import { QrCode } from '../wire.d.ts' */
/** @typedef {SVGElement} Shape */

/** @type {(x: number, y: number, wide: number, tall: number, kind?: string, r?: number) => Shape} */
export const box = (x, y, wide, tall, kind = 'w', r = 6) =>
  svg('rect', { x, y, width: wide, height: tall, rx: r, class: kind });
/** @type {(cx: number, cy: number, r: number, kind?: string) => Shape} */
export const dot = (cx, cy, r, kind = 'w') => svg('circle', { cx, cy, r, class: kind });
/** @type {(x: number, y: number, text: string | number, size?: number, kind?: string) => Shape} */
export const word = (x, y, text, size = 20, kind = 'i') =>
  svg('text', { x, y: y + size * 0.35, 'font-size': size, 'text-anchor': 'middle', class: kind }, text);
/** @type {(d: string, kind?: string) => Shape} */
export const path = (d, kind = 'l') => svg('path', { d, class: kind });
/** A tile with a number. @param {number} x @param {number} y @param {string | number} text @param {string} [kind] */
export const tile = (x, y, text, kind) => [
  box(x, y + 3, 32, 34, 'i'),
  box(x, y, 32, 34, kind),
  word(x + 16, y + 17, text, 20, kind && kind !== 'w' ? 'o' : 'i'),
];
/** Somebody's mark. @param {number} x @param {number} y @param {1 | 2} seat */
export const piece = (x, y, seat) => (seat === 1 ? dot(x, y, 8, 'one') : path(`M${x} ${y - 10}l10 10-10 10-10-10z`, 'two'));

export const puzzle = () => [...tile(34, 28, 4), ...tile(84, 22, '?', 'i'), ...tile(134, 28, 9)];
export const workshop = () => [...tile(34, 30, '+', 'i'), ...tile(84, 30, '?'), ...tile(134, 30, '='), path('M26 78H174'), dot(70, 78, 6, 'one'), dot(126, 78, 6, 'two')];
export const review = () => [
  path('M24 80H180M24 45H180'),
  path('M24 45L50 40 76 52 102 30 128 62 154 20 178 14', 'curve'),
  dot(128, 62, 6, 'one'),
  dot(178, 14, 6, 'two'),
];

/** A picture of these shapes. @param {Shape[]} shapes */
export const picture = (shapes) => svg('svg', { viewBox: '0 0 200 96', 'aria-hidden': 'true' }, ...shapes);

/** A code that a phone can read. @param {QrCode} code @param {string} label */
export const qrCode = ({ side, path }, label) =>
  svg(
    'svg',
    { class: 'qr', viewBox: `0 0 ${side} ${side}`, role: 'img', 'aria-label': label, 'shape-rendering': 'crispEdges' },
    svg('rect', { width: side, height: side, fill: '#fff' }),
    svg('path', { d: path, fill: '#000' }),
  );
