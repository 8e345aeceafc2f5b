// Grid: covered cards that turn over.

import { h } from '../../parts/dom.js';
import { YOU, named, numbers, press, so, track, upTo } from '../../boards/board_parts.js';
import { box, path, word } from '../../boards/pictures.js';

/** @import { About, Settings } from '../../page.d.ts' */
/** @import { Line, Pair } from '../../wire.d.ts' */
/**
 * @typedef {{ target: number, side: number, cells: (number | null)[], totals: Pair<number>, stood: Pair<boolean>, unseen: number[] }} GridBoard
 */

export const hue = '#5cb07a';
export const keys = 'The arrow keys go from card to card, Enter turns one over; S stands where that is allowed.';
const STEPS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
});

const STAND = 'stand';

/** A cell of the board in words, on one line. @param {number | string | undefined} row @param {number | string | undefined} column */
const place = (row, column) => `row\u00a0${row}, column\u00a0${column}`;

/** @param {string} move */
export function written(move) {
  const [row, column] = move.split(',');
  return column && Number(row) && Number(column) ? place(row, column) : move;
}

/** @param {Line} line @param {Settings} settings */
export function told({ player, entry, facts = {}, place: at = 0 }, { side }) {
  if (!player) return `${place(Math.floor(at / Number(side)) + 1, (at % Number(side)) + 1)} hides ${entry}`;
  return entry === STAND ? `stands at ${facts.has}` : `opens ${written(entry)}`;
}

export const picture = () =>
  [0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap((n) => {
    const [x, y, open] = [58 + (n % 3) * 29, 7 + Math.floor(n / 3) * 29, { 1: 9, 3: 2, 8: 4 }[n]];
    return open
      ? [box(x, y, 26, 26, 'w', 5), word(x + 13, y + 13, open, 16)]
      : [box(x, y, 26, 26, 'a', 5), path(`M${x + 7} ${y + 13}l6-6 6 6-6 6z`, 'w')];
  });

/** @param {GridBoard} board @param {About} about @returns {HTMLElement} */
export function show(board, about) {
  const { moves = [], last } = about;
  const names = named(about);
  const walk = (/** @type {KeyboardEvent} */ event) => {
    const step = STEPS[event.key];
    const cards = [.../** @type {Element} */ (event.currentTarget).children];
    const at = cards.indexOf(/** @type {Element} */ (document.activeElement));
    if (!step || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    const row = Math.floor(at / board.side) + step[0];
    const column = (at % board.side) + step[1];
    if (Math.min(row, column) < 0 || Math.max(row, column) >= board.side) return;
    /** @type {HTMLElement} */ (cards[row * board.side + column]).focus();
  };
  const stand = moves.find(({ move }) => move === STAND);
  const where = stand?.result === undefined ? '' : ` at ${stand.result}`;
  return h('div', { class: 'board grid' },
    track(board.target, board.totals, about),
    h(
      'div',
      {
        class: 'cards',
        role: 'group',
        'aria-label': `${board.side} by ${board.side} cards`,
        vars: { '--side': board.side },
        onkeydown: walk,
      },
      board.cells.map((number, at) => {
        const cell = `${Math.floor(at / board.side) + 1},${(at % board.side) + 1}`;
        const [row, column] = cell.split(',');
        return press(
          moves.find(({ move }) => move === cell),
          about,
          {
            class: `card${number === null ? '' : ' open'}${last?.entry === cell ? ' last' : ''}`,
            'aria-label': `Row ${row}, column ${column}: ${number ?? 'covered'}`,
          },
          h('span', { class: 'turner' }, h('span', { class: 'back' }), h('span', { class: 'face' }, number ?? '')),
        );
      }),
    ),
    board.stood.some(Boolean) &&
      h('p', { class: 'ask' },
        board.stood.map((stood, at) => (stood ? `${names[at]} stand${names[at] === YOU ? '' : 's'}. ` : '')),
      ),
    stand &&
      h('div', { class: 'row' },
        press(
          stand,
          about,
          { class: 'op wide', 'data-key': 's', 'aria-label': `Stand${where || ': take no more cards'}${so(stand)}` },
          h('b', { 'aria-hidden': 'true' }, 'Stand'),
          h('span', null, where ? `stand${where}` : 'take no more cards'),
        ),
      ),
    numbers('Still covered', upTo(board.side ** 2), board.unseen),
  );
}
