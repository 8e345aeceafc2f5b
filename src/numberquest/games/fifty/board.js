// Fifty: number tiles, and what can be done with the one that is chosen.

import { h, morph } from '../../parts/dom.js';
import { past, press, so, track, upTo } from '../../boards/board_parts.js';
import { box, dot, piece, tile, word } from '../../boards/pictures.js';

/** @import { About, Settings } from '../../page.d.ts' */
/** @import { Line, Pair } from '../../wire.d.ts' */
/** @typedef {{ target: number, high: number, ops: string, pool: number[], scores: Pair<number> }} FiftyBoard */

/** Each operation as people write it, what it is called, and what somebody does who uses it. */
const OPERATIONS = /** @type {Record<string, [string, string, string]>} */ ({
  '+': ['+', 'add', 'adds'],
  '-': ['−', 'subtract', 'subtracts'],
  '*': ['×', 'multiply', 'multiplies by'],
  '/': ['÷', 'divide', 'divides by'],
});
/** @param {string} op @returns {[string, string, string]} */
const operation = (op) => OPERATIONS[op] ?? [op, op, op];
export const hue = '#f0b429';
export const keys = 'A digit chooses a number; + − * / plays it.';
/** The number that is chosen for a move, and the place where that was: nobody gets what another has chosen. */
let [chosen, where] = [0, ''];
/** Whether somebody has chosen it. */
let own = false;

/** `× 6`, on one line. @param {string} move */
export function written(move) {
  const [sign] = OPERATIONS[move.slice(-1)] ?? [];
  return sign && Number(move.slice(0, -1)) ? `${sign}\u00a0${move.slice(0, -1)}` : move;
}

/** What a move makes of a score. @param {string} move @param {number} had @param {number} has @param {number} target */
function calculation(move, had, has, target) {
  const [number, op] = [Number(move.slice(0, -1)), move.slice(-1)];
  const sum = `${had} ${operation(op)[0]} ${number}`;
  const dropped = op === '/' && had % number ? ', remainder dropped' : '';
  return op === '-' && number > had ? `${sum} would go below 0, so the turn is lost` : `${sum} = ${has}${dropped}${past(has, target)}`;
}

/** @param {Line} line @param {Settings} settings */
export const told = ({ entry, facts = {} }, { target }) =>
  `${operation(entry.slice(-1))[2]} ${entry.slice(0, -1)}: ${calculation(entry, facts.had, facts.has, Number(target))}`;

export const picture = () => [
  box(16, 76, 168, 8, 'w', 4),
  ...[0, 1, 2, 3, 4, 5].map((n) => dot(20 + n * 32, 80, 2, 'i')),
  piece(116, 80, 1),
  piece(148, 80, 2),
  ...tile(30, 20, 6),
  word(76, 38, '×'),
  ...tile(90, 20, 8),
  word(136, 38, '+'),
  ...tile(150, 20, 2),
];

/** @param {FiftyBoard} board @param {About} about @returns {HTMLElement} */
export function show(board, about) {
  const { moves = [], play, last, hinted, tell } = about;
  const taken = Number.parseInt(last?.entry ?? '');
  const allowed = (/** @type {number} */ number) => moves.some(({ move }) => move.slice(0, -1) === String(number));
  const here = JSON.stringify([board.pool, board.scores, about.turn, !moves.length]);
  // Before the first move one lies ready, so that it is seen what the signs do; a key plays only what was chosen.
  if (here !== where) [chosen, where, own] = [last ? 0 : (upTo(board.high).find(allowed) ?? 0), here, false];
  const choose = (/** @type {number} */ number) => (/** @type {Event} */ event) => {
    [chosen, own] = [number, true];
    const root = /** @type {Element} */ (event.currentTarget).closest('.board');
    if (root) morph(root, show(board, about));
  };
  return h('div', { class: 'board fifty' },
    track(board.target, board.scores, about),
    h('div', { class: 'tiles', role: 'group', 'aria-label': 'Numbers' },
      upTo(board.high).map((number) => {
        const count = board.pool.filter((one) => one === number).length;
        return h(
          'button',
          {
            type: 'button',
            class: `tile stack${Math.min(count, 4)}${number === taken ? ' last' : ''}${hinted && Number.parseInt(hinted) === number ? ' hinted' : ''}`,
            'data-key': number,
            'aria-label': `${number}, ${count || 'none'} left`,
            'aria-pressed': play ? String(chosen === number && allowed(number)) : null,
            'aria-disabled': allowed(number) ? null : 'true',
            onclick: allowed(number) ? choose(number) : play && !count ? () => tell?.(`No ${number} is left.`) : null,
          },
          number,
          count > 1 && h('small', { 'aria-hidden': 'true' }, `×${count}`),
        );
      }),
    ),
    play &&
      h('p', { class: 'ask' }, !moves.length ? '' : chosen ? `What do you do with ${chosen}? Or choose another number.` : 'Choose a number.'),
    play &&
      h('div', { class: 'ops', role: 'group', 'aria-label': 'What to do with it' },
        [...board.ops].map((op) => {
          const option = moves.find(({ move }) => move === chosen + op);
          const [sign, verb] = operation(op);
          // Where the players are to work it out themselves, nobody says what it comes to.
          const words = option?.result !== undefined && calculation(option.move, board.scores[(about.turn ?? 1) - 1] ?? 0, option.result, board.target);
          return press(
            option,
            about,
            { class: 'op', 'data-key': own ? op : null, 'aria-label': words ? `${verb}: ${words}${so(option)}` : verb, why: moves.length && !chosen ? 'Choose a number first.' : null },
            h('b', { 'aria-hidden': 'true' }, sign),
            h('span', null, words || verb),
          );
        }),
      ),
  );
}
