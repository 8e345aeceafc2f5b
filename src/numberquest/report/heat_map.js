// A map of figures: light is high, dark is low, and where there is room the figure stands in the cell. The page's atlas
// and the report of a sweep draw it.

/** Red, green and blue. @typedef {number[]} Colour */
/** @typedef {{ across: string[], down: string[], titles: [string, string], here: [number, number], figure: (x: number, y: number) => number | null, text: (x: number, y: number) => string, title: (x: number, y: number) => string, choose: (x: number, y: number) => void, scale: Colour[] }} Plane */

/** Room for the words at the left, above and below. */
const [LEFT, TOP, BOTTOM] = [56, 22, 40];

/** An element of a drawing. @param {string} tag @param {Record<string, string | number>} more @param {...(Node | string)} inside */
export function drawn(tag, more, ...inside) {
  const one = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(more)) one.setAttribute(name, String(value));
  one.append(...inside);
  return /** @type {SVGElement} */ (one);
}

/** Words at a place. @param {number} x @param {number} y @param {string} words @param {string} anchor */
export const lettered = (x, y, words, anchor) => drawn('text', { x, y, 'text-anchor': anchor, 'font-size': 12, fill: 'currentColor' }, words);

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

/** From where to where the colours go: all of a share, of others as far as there are figures. @param {(number | null | undefined)[]} figures @param {boolean} share @returns {[number, number]} */
export function ends(figures, share) {
  if (share) return [0, 1];
  const known = figures.filter((one) => typeof one === 'number');
  const [low, high] = [known.reduce((a, b) => Math.min(a, b), Infinity), known.reduce((a, b) => Math.max(a, b), -Infinity)];
  return high > low ? [low, high] : [low - 0.5, high + 0.5];
}

/** A figure for a small cell; only what is certain is 0 or 100. @param {string} name @param {boolean} share @param {number} figure */
export function short(name, share, figure) {
  if (name === 'value' && (figure === 0 || figure === 1)) return figure ? 'P1' : 'P2';
  if (!share) return String(Number(figure.toPrecision(3)));
  // Exact halves go to the even number, as in Python.
  const up = Math.round(100 * figure);
  const whole = up - 100 * figure === 0.5 && up % 2 ? up - 1 : up;
  return figure === 0 || figure === 1 || (whole > 0 && whole < 100) ? String(whole) : whole ? '>99' : '<1';
}

/** The colours in order. @param {Colour[]} scale */
export const legend = (scale) =>
  drawn('svg', { width: 150, height: 12, viewBox: '0 0 50 4', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    ...Array.from({ length: 50 }, (_, at) => drawn('rect', { x: at, y: 0, width: 1.1, height: 4, fill: `rgb(${mixed(scale, at / 49)})` })));

/** Labels below some of many columns, as many as there is room for. @param {string[]} labels @param {number} left @param {number} wide @param {number} y */
export const below = (labels, left, wide, y) =>
  labels.flatMap((label, x) => (x % Math.max(1, Math.ceil(34 / wide)) ? [] : [lettered(left + (x + 0.5) * wide, y, label, 'middle')]));

/**
 * Draw it as wide as there is room, and wider where cells would be too narrow: then it can be scrolled.
 * @param {HTMLElement} frame
 * @param {Plane} plane
 */
export function drawMap(frame, { across, down, titles, here, figure, text, title, choose, scale }) {
  const [many, rows] = [across.length, down.length];
  const room = Math.max(frame.clientWidth - LEFT - 8, 120);
  const wide = Math.min(Math.max(room / many, many > 300 ? 4 : many > 60 ? 5 : 20), 48);
  const tall = Math.round(Math.min(Math.max(wide, 24), 30));
  const svg = drawn('svg', { width: LEFT + wide * many + 8, height: TOP + tall * rows + BOTTOM, 'aria-hidden': 'true' });
  const about = svg.appendChild(drawn('title', {}));
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < many; x++) {
      const [left, top, share] = [LEFT + x * wide, TOP + y * tall, figure(x, y)];
      if (share === null) {
        svg.append(drawn('line', { x1: left, y1: top + tall, x2: left + wide, y2: top, class: 'scale' }));
        continue;
      }
      const colour = mixed(scale, share);
      svg.append(drawn('rect', { x: left, y: top, width: wide + 0.3, height: tall + 0.3, fill: `rgb(${colour})` }));
      const words = text(x, y);
      if (wide < 6.2 * words.length + 4) continue;
      const label = lettered(left + wide / 2, top + tall / 2 + 4, words, 'middle');
      Object.assign(label.style, { fill: ink(colour), fontSize: '11px', pointerEvents: 'none' });
      svg.append(label);
    }
    svg.append(lettered(LEFT - 6, TOP + (y + 0.5) * tall + 4, down[y] ?? '', 'end'));
  }
  const [x, y] = [LEFT + here[0] * wide, TOP + here[1] * tall];
  svg.append(
    ...below(across, LEFT, wide, TOP + rows * tall + 15),
    // Where the map can be scrolled, its title is where one begins to look.
    lettered(LEFT, TOP + rows * tall + 33, `${titles[0]} \u2192`, 'start'),
    lettered(2, 14, titles[1] ? `\u2193 ${titles[1]}` : '', 'start'),
    ...[['#fff', 5], ['#000', 2.5]].map(([stroke = '', thick = 0]) =>
      drawn('rect', { x, y, width: wide, height: tall, fill: 'none', stroke, 'stroke-width': thick, 'pointer-events': 'none' })),
  );
  /** Do something with the cell under the pointer. @param {(x: number, y: number) => void} act @returns {(event: MouseEvent) => void} */
  const pointed = (act) => ({ clientX, clientY }) => {
    const { left, top } = svg.getBoundingClientRect();
    const [column, row] = [Math.floor((clientX - left - LEFT) / wide), Math.floor((clientY - top - TOP) / tall)];
    if (column >= 0 && column < many && row >= 0 && row < rows) act(column, row);
  };
  svg.addEventListener('click', pointed(choose));
  // One title for all: thousands of them would make a large map slow.
  svg.addEventListener('pointermove', pointed((x, y) => void (about.textContent = title(x, y))));
  frame.replaceChildren(svg);
  // The chosen cell stays in sight.
  if (x < frame.scrollLeft + LEFT || x + wide > frame.scrollLeft + frame.clientWidth - 8) frame.scrollLeft = x - frame.clientWidth / 2;
}
