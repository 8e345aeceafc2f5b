// Sum Quest: one counter on a path of stones, moved by both.

import { h } from '../../parts/dom.js';
import { past, press, so, upTo } from '../../boards/board_parts.js';
import { dot, path, piece, word } from '../../boards/pictures.js';

/** @import { About, Settings } from '../../page.d.ts' */
/** @import { Line, Option } from '../../wire.d.ts' */
/** @typedef {{ target: number, high: number, total: number, barred: number | null }} SumquestBoard */

export const hue = '#5aa2dc';
export const keys = 'A digit adds that number.';
/** Longer paths would be too long to look at: then only the part around the sum is shown. */
const LONGEST = 39;
const ROW = 8;

/** @param {string} move @param {number} had @param {number} has @param {number} target */
const addition = (move, had, has, target) => `${had} + ${move} = ${has}${past(has, target)}`;

/** @param {Line} line @param {Settings} settings */
export const told = ({ entry, facts = {} }, { target }) =>
  `adds ${entry}: ${addition(entry, facts.had, facts.has, Number(target))}`;

/** What comes of a move, in words. @param {Option} option @param {SumquestBoard} board */
function words(option, { total, target }) {
  const { move, result, ends } = option;
  if (result === undefined) return `add ${move}`;
  const stuck = ends && result < target ? ', for the other has no number left' : '';
  return `${addition(move, total, result, target)}${so(option)}${stuck}`;
}

/** @param {{ board: { target?: number } }} game */
export const picture = ({ board: { target = 23 } }) => [
  path('M24 24H156a13 13 0 0 1 0 26H44a13 13 0 0 0 0 26H160'),
  ...[24, 57, 90, 123].map((x) => dot(x, 24, 7, 'a')),
  dot(156, 24, 7),
  dot(150, 50, 7, 'w'),
  ...[117, 84, 51].map((x) => dot(x, 50, 7)),
  ...[57, 90, 123].map((x) => dot(x, 76, 7)),
  dot(160, 76, 15, 'i'),
  word(160, 76, target, 15, 'o'),
  piece(123, 24, 1),
  piece(156, 24, 2),
];

/** @param {SumquestBoard} board @param {About} about @returns {HTMLElement} */
export function show(board, about) {
  const { moves = [], play, last } = about;
  const first = board.target <= LONGEST ? 0 : Math.max(0, Math.min(board.total - ROW, board.target - LONGEST));
  const end = Math.min(board.target, first + LONGEST);
  const reached = new Map(moves.map((option) => [option.result, option.move]));
  const added = Number.parseInt(last?.entry ?? '0');
  /** Show on the path where a number leads. @param {string | null} move */
  const lead = (move) => (/** @type {Event} */ event) => {
    const root = /** @type {Element} */ (event.currentTarget).closest('.board');
    root
      ?.querySelectorAll('.stone')
      .forEach((stone) => stone.classList.toggle('aim', move !== null && stone.getAttribute('data-from') === move));
  };
  return h('div', { class: 'board sumquest' },
    h('p', { class: 'sum' },
      h('span', null, 'Sum'),
      h('strong', null, board.total),
      h('span', null, `of ${board.target}`),
    ),
    h('div', { class: 'path', role: 'img', 'aria-label': `The sum is ${board.total} of ${board.target}` },
      upTo(end - first + 1).map((_, at) => {
        const n = first + at;
        const row = Math.floor(at / ROW);
        const column = row % 2 ? ROW - (at % ROW) : (at % ROW) + 1;
        return h(
          'span',
          {
            class: Object.entries({
              stone: true,
              done: n < board.total,
              here: n === board.total,
              goal: n === board.target,
              [`by${last?.player}`]: n < board.total && n > board.total - added,
              west: row % 2 === 1,
              turns: at % ROW === ROW - 1 && n < end,
            })
              .filter(([, on]) => on)
              .map(([name]) => name)
              .join(' '),
            'data-from': reached.get(n),
            vars: { 'grid-column': column, 'grid-row': row + 1 },
          },
          n,
        );
      }),
    ),
    h('div', { class: 'tiles', role: 'group', 'aria-label': 'Numbers to add' },
      upTo(board.high).map((number) => {
        const option = moves.find(({ move }) => move === String(number));
        const barred = board.barred === number;
        const aim = option && play ? lead(option.move) : null;
        return press(
          option,
          about,
          {
            class: `tile${barred ? ' barred' : ''}`,
            'data-key': number,
            why: barred && `${number} is barred: it has just been used. Choose another number.`,
            title: option && words(option, board),
            'aria-label': `${number}${barred ? ', barred now' : option ? `: ${words(option, board)}` : ''}`,
            onpointerenter: aim,
            onfocus: aim,
            onpointerleave: aim && lead(null),
            onblur: aim && lead(null),
          },
          barred ? h('s', null, number) : number,
          barred ? h('small', null, '⊘ barred') : option?.result !== undefined && !option.ends && h('small', { 'aria-hidden': 'true' }, `→ ${option.result}`),
        );
      }),
    ),
  );
}
