// Mystic Numbers: the pile, the number drawn, and what to do with it.

import { h } from '../dom.js';
import { numbers, plain, press, track, upTo } from './parts.js';

/** @import { About } from '../page.d.ts' */
/** @import { MysticBoard } from '../wire.d.ts' */

export const keys = 'A adds, S subtracts, P passes.';
const DEEDS = /** @type {const} */ ([
  ['add', '+', 'Add'],
  ['subtract', '−', 'Subtract'],
  ['pass', '→', 'Pass'],
]);

/** @param {MysticBoard} board @param {About} about @returns {HTMLElement} */
export function show(board, about) {
  const { moves = [], play } = about;
  const thick = Math.min(5, Math.ceil(board.pile / 4));
  return h(
    'div',
    { class: 'board mystic' },
    track(board.target, board.totals, about),
    h(
      'div',
      { class: 'draw' },
      h(
        'div',
        { class: `pile thick${thick}` },
        h('span', { class: 'back' }),
        h('small', null, `${board.pile} in the pile`),
      ),
      // A new number is a new card, so that it comes flying from the pile.
      h(
        'div',
        { class: 'drawn' },
        h(
          'span',
          { class: board.drawn ? 'face' : 'face none', 'data-id': `${board.pile}/${board.drawn}` },
          board.drawn ?? '',
        ),
        h('small', null, board.drawn ? 'drawn' : 'nothing drawn'),
      ),
    ),
    play &&
      h(
        'div',
        { class: 'ops', role: 'group', 'aria-label': 'What to do with it' },
        DEEDS.map(([move, sign, verb]) => {
          const option = moves.find((one) => one.move === move);
          return press(
            option,
            about,
            {
              class: 'op',
              'data-key': move.charAt(0),
              'aria-label': option ? option.words : `${verb}: not possible now`,
            },
            h('b', null, `${sign}${option ? (board.drawn ?? '') : ''}`),
            h('span', null, option ? plain(option) : verb),
          );
        }),
      ),
    numbers('Still in the pile', upTo(board.high), board.unseen),
  );
}
