// Fifty: number tiles, and what can be done with the one that is chosen.

import { h, morph } from '../dom.js';
import { plain, press, track, upTo } from './parts.js';

/** @import { About } from '../page.d.ts' */
/** @import { FiftyBoard } from '../wire.d.ts' */

const SIGNS = /** @type {Record<string, [string, string]>} */ ({
  '+': ['+', 'add'],
  '-': ['−', 'subtract'],
  '*': ['×', 'multiply'],
  '/': ['÷', 'divide'],
});
export const keys = 'A digit chooses a number; + − * / plays it.';
/** The number that was chosen last: it stays chosen, so that what it leads to is in sight and one click plays. */
let chosen = 0;

/** @param {FiftyBoard} board @param {About} about @returns {HTMLElement} */
export function show(board, about) {
  const { moves = [], play, last } = about;
  const taken = Number.parseInt(last?.entry ?? '');
  const allowed = (/** @type {number} */ number) => moves.some(({ move }) => move.slice(0, -1) === String(number));
  if (moves.length && !allowed(chosen)) chosen = upTo(board.high).find(allowed) ?? 0;
  const choose = (/** @type {number} */ number) => (/** @type {Event} */ event) => {
    chosen = number;
    const root = /** @type {Element} */ (event.currentTarget).closest('.board');
    if (root) morph(root, show(board, about));
  };
  return h(
    'div',
    { class: 'board fifty' },
    track(board.target, board.scores, about),
    h(
      'div',
      { class: 'tiles', role: 'group', 'aria-label': 'Numbers' },
      upTo(board.high).map((number) => {
        const count = board.pool.filter((one) => one === number).length;
        return h(
          'button',
          {
            type: 'button',
            class: `tile stack${Math.min(count, 4)}${number === taken ? ' last' : ''}`,
            'data-key': number,
            'aria-label': `${number}, ${count || 'none'} left`,
            'aria-pressed': play ? String(chosen === number && allowed(number)) : null,
            'aria-disabled': allowed(number) ? null : 'true',
            onclick: allowed(number) ? choose(number) : null,
          },
          number,
          count > 1 && h('small', null, `×${count}`),
        );
      }),
    ),
    play &&
      h('p', { class: 'ask' }, moves.length ? `What do you do with ${chosen}? Or choose another number.` : ''),
    play &&
      h(
        'div',
        { class: 'ops', role: 'group', 'aria-label': 'What to do with it' },
        [...board.ops].map((op) => {
          const option = moves.find(({ move }) => move === chosen + op);
          const [sign, verb] = SIGNS[op] ?? [op, op];
          return press(
            option,
            about,
            { class: 'op', 'data-key': op, 'aria-label': option ? `${verb}: ${option.words}` : verb },
            h('b', null, sign),
            h('span', null, option ? plain(option) : verb),
          );
        }),
      ),
  );
}
