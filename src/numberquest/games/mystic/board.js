// Mystic Numbers: the pile, the number drawn, and what to do with it.

import { h } from '../../parts/dom.js';
import { YOU, named, numbers, past, press, track, upTo } from '../../boards/board_parts.js';
import { box, path, word } from '../../boards/pictures.js';
import { NAMES } from '../../parts/words.js';

/** @import { About, Settings } from '../../page.d.ts' */
/** @import { Line, Option, Pair } from '../../wire.d.ts' */
/** @typedef {{ target: number, high: number, totals: Pair<number>, drawn: number | null, pile: number, unseen: number[] }} MysticBoard */

export const hue = '#9a80d8';
export const keys = 'A adds, S subtracts, P passes.';
const DEEDS = /** @type {const} */ ([['add', '+', 'Add'], ['subtract', '−', 'Subtract'], ['pass', '→', 'Pass']]);

/** What follows the verb: the number, and what it makes of whose total. @param {string} move @param {any} facts @param {number} target @param {string} other */
const outcome = (move, { drawn, total }, target, other) =>
  `${drawn}${move === 'pass' ? ` to ${other === YOU ? 'you, and then you have' : `${other}, who then has`} ${total}` : `: total ${total}`}${past(total, target)}`;

/** @param {Line} line @param {Settings} settings @param {Pair<string>} names */
export function told({ player, entry, facts }, { target }, names = NAMES) {
  if (!player) return `${entry} is drawn`;
  return `${entry === 'pass' ? 'passes' : `${entry}s`} ${outcome(entry, facts, Number(target), names[2 - player] ?? '')}`;
}

/** The move has been made, and the next number still lies on the pile. @param {MysticBoard} _before @param {MysticBoard} after @returns {MysticBoard} */
export const between = (_before, after) => ({
  ...after,
  drawn: null,
  pile: after.pile + (after.drawn ? 1 : 0),
  unseen: [...after.unseen, ...(after.drawn ? [after.drawn] : [])],
});

/** What a move does; what it comes to, where the players need not work that out. @param {Option} option @param {MysticBoard} board @param {About} about */
function words({ move, facts }, { target, drawn }, about) {
  const other = named(about)[2 - (about.turn ?? 1)] ?? '';
  if (facts) return `${move} ${outcome(move, facts, target, other)}`;
  return `${move} ${drawn}${move === 'pass' ? ` to ${other === YOU ? 'you' : other}` : ''}`;
}

export const picture = () =>
  [8, 4, 0]
    .map((n) => box(44 + n, 18 - n / 2, 44, 60, n ? 'w' : 'a', 7))
    .concat([
      path('M66 34l12 14-12 14-12-14z', 'w'),
      path('M96 40q8-12 16-6', 'l'),
      box(114, 17, 46, 62, 'i', 7),
      box(114, 13, 46, 62, 'w', 7),
      word(137, 44, 7, 34),
    ]);

/** @param {MysticBoard} board @param {About} about @returns {HTMLElement} */
export function show(board, about) {
  const { moves = [], play } = about;
  const thick = Math.min(5, Math.ceil(board.pile / 4));
  return h('div', { class: 'board mystic' },
    track(board.target, board.totals, about),
    h('div', { class: 'draw' },
      h('div', { class: `pile thick${thick}` },
        h('span', { class: 'back' }),
        h('small', null, `${board.pile} in the pile`),
      ),
      // A new number is a new card, so that it comes flying from the pile.
      h('div', { class: 'drawn' },
        h('span', { class: board.drawn ? 'face' : 'face none', 'data-id': `${board.pile}/${board.drawn}` },
          board.drawn ?? '',
        ),
        h('small', null, board.drawn ? 'drawn' : 'nothing drawn'),
      ),
    ),
    play &&
      h('div', { class: 'ops', role: 'group', 'aria-label': 'What to do with it' },
        DEEDS.map(([move, sign, verb]) => {
          const option = moves.find((one) => one.move === move);
          return press(
            option,
            about,
            {
              class: 'op',
              'data-key': move.charAt(0),
              why: 'That would go below 0, so this number can only be added or passed.',
              'aria-label': option ? words(option, board, about) + (option.ends ? `, that ${option.ends}` : '') : `${verb}: not possible now`,
            },
            h('b', { 'aria-hidden': 'true' }, `${sign}${option ? (board.drawn ?? '') : ''}`),
            h('span', null, option ? words(option, board, about) : verb),
          );
        }),
      ),
    numbers('Still in the pile', upTo(board.high), board.unseen),
  );
}
