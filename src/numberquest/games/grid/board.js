// Grid: covered cards that turn over.

import { h } from '../dom.js';
import { YOU, named, numbers, plain, press, track, upTo } from './parts.js';

/** @import { About } from '../page.d.ts' */
/** @import { GridBoard } from '../wire.d.ts' */

export const keys = 'The arrow keys go from card to card, Enter turns one over; S stands where that is allowed.';
const STEPS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
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
  const stand = moves.find(({ move }) => move === 'stand');
  return h(
    'div',
    { class: 'board grid' },
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
    numbers('Still covered', upTo(board.side ** 2), board.unseen),
    board.stood.some(Boolean) &&
      h(
        'p',
        { class: 'ask' },
        board.stood.map((stood, at) => (stood ? `${names[at]} stand${names[at] === YOU ? '' : 's'}. ` : '')),
      ),
    stand &&
      h(
        'div',
        { class: 'row' },
        press(stand, about, { class: 'op wide', 'data-key': 's' }, h('b', null, 'Stand'), h('span', null, plain(stand))),
      ),
  );
}
