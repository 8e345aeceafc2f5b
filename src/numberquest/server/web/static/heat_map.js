// A map of figures on a canvas: light is high, dark is low, and where there is room the figure stands in the cell.

import { svg } from './dom.js';

/** Red, green and blue. @typedef {number[]} Colour */
/** @typedef {{ across: string[], down: string[], titles: [string, string], here: [number, number], figure: (x: number, y: number) => number | null, text: (x: number, y: number) => string, scale: Colour[] }} Plane */

/** Room for the words at the left, above and below. */
const [LEFT, TOP, BOTTOM] = [46, 22, 40];

/** The colour of a share from 0 to 1. @param {Colour[]} scale @param {number} share @returns {Colour} */
function mixed(scale, share) {
  const at = Math.min(Math.max(share, 0), 1) * (scale.length - 1);
  const low = Math.min(Math.floor(at), scale.length - 2);
  const [one, two] = [scale[low] ?? [], scale[low + 1] ?? []];
  return one.map((part, i) => Math.round(part + ((two[i] ?? 0) - part) * (at - low)));
}

/** Black or white, whichever can be read on it. @param {Colour} colour */
function ink(colour) {
  const [r = 0, g = 0, b = 0] = colour.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#000' : '#fff';
}

/** The colours in order. @param {Colour[]} scale */
export const legend = (scale) =>
  svg('svg', { width: 150, height: 12, viewBox: '0 0 50 4', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    ...Array.from({ length: 50 }, (_, at) => svg('rect', { x: at, y: 0, width: 1.1, height: 4, fill: `rgb(${mixed(scale, at / 49)})` })));

/**
 * Draw it as wide as there is room, and wider where cells would be too narrow: then it can be scrolled.
 * @param {HTMLCanvasElement} canvas
 * @param {HTMLElement} frame
 * @param {Plane} plane
 */
export function drawMap(canvas, frame, { across, down, titles, here, figure, text, scale }) {
  const [many, rows] = [across.length, down.length];
  const room = Math.max(frame.clientWidth - LEFT - 8, 120);
  const wide = Math.min(Math.max(room / many, many > 300 ? 4 : many > 60 ? 5 : 20), 48);
  const tall = Math.round(Math.min(Math.max(wide, 24), 30));
  const [width, height] = [LEFT + wide * many + 8, TOP + tall * rows + BOTTOM];
  const dots = Math.min(devicePixelRatio || 1, 16000 / width);
  Object.assign(canvas, { width: Math.round(width * dots), height: Math.round(height * dots) });
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  pen.scale(dots, dots);
  const looks = getComputedStyle(frame);
  const say = (/** @type {string} */ words, /** @type {number} */ x, /** @type {number} */ y, /** @type {CanvasTextAlign} */ align, colour = looks.color) => {
    Object.assign(pen, { fillStyle: colour, textAlign: align, textBaseline: 'middle' });
    pen.fillText(words, x, y);
  };
  pen.font = `12px ${looks.fontFamily}`;
  const place = (/** @type {number} */ x, /** @type {number} */ y) => /** @type {const} */ ([Math.round((LEFT + x * wide) * dots) / dots, TOP + y * tall]);
  for (let y = 0; y < rows; y++) {
    say(down[y] ?? '', LEFT - 6, TOP + (y + 0.5) * tall, 'right');
    for (let x = 0; x < many; x++) {
      const [left, top] = place(x, y);
      const share = figure(x, y);
      if (share === null) {
        pen.strokeStyle = looks.borderColor;
        pen.lineWidth = 1;
        pen.beginPath();
        pen.moveTo(left, top + tall);
        pen.lineTo(left + wide, top);
        pen.stroke();
        continue;
      }
      const colour = mixed(scale, share);
      pen.fillStyle = `rgb(${colour})`;
      pen.fillRect(left, top, place(x + 1, y)[0] - left, tall);
      const words = text(x, y);
      if (wide >= 7 * words.length + 4) say(words, left + wide / 2, top + tall / 2, 'center', ink(colour));
    }
  }
  const every = Math.max(1, Math.ceil(34 / wide));
  for (let x = 0; x < many; x += every) say(across[x] ?? '', LEFT + (x + 0.5) * wide, TOP + rows * tall + 11, 'center');
  // Where the map can be scrolled, its title is where one begins to look.
  say(`${titles[0]} →`, LEFT, TOP + rows * tall + 29, 'left');
  say(titles[1] ? `↓ ${titles[1]}` : '', 2, 10, 'left');
  const [x, y] = place(...here);
  for (const [line, colour] of /** @type {[number, string][]} */ ([[5, '#fff'], [2.5, '#000']])) {
    Object.assign(pen, { lineWidth: line, strokeStyle: colour });
    pen.strokeRect(x, y, wide, tall);
  }
  // The chosen cell stays in sight.
  if (x < frame.scrollLeft + LEFT || x + wide > frame.scrollLeft + frame.clientWidth - 8) frame.scrollLeft = x - frame.clientWidth / 2;
  return {
    /** The cell under a point. @param {number} left @param {number} top @returns {[number, number] | null} */
    at(left, top) {
      const [column, row] = [Math.floor((left - LEFT) / wide), Math.floor((top - TOP) / tall)];
      return column >= 0 && column < many && row >= 0 && row < rows ? [column, row] : null;
    },
  };
}
