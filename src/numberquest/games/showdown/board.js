// Showdown: the sequence as it grows, and what both say about its sum.

import { h, mark } from '../../parts/dom.js';
import { YOU, named, press, so, upTo } from '../../boards/board_parts.js';
import { box, path, word } from '../../boards/pictures.js';

/** @import { About } from '../../page.d.ts' */
/** @import { Line, Pair, Seat } from '../../wire.d.ts' */
/**
 * @typedef {{ high: number, picks: number, sequence: number[], players: Seat[], sum: number, pool: number[],
 *   predictions: Pair<number | null>, first: Seat | null, written?: number }} ShowdownBoard
 */

export const hue = '#ee8264';
export const keys = 'A digit adds that number to the sequence.';
const PREDICT = 'predict ';

/** @param {Line} line */
export function told({ entry, facts = {} }) {
  if (entry.startsWith(PREDICT)) return `predicts ${entry.slice(PREDICT.length)}`;
  // What is secret has no words here.
  if (!/^\d+$/.test(entry)) return 'writes a prediction down';
  return `adds ${entry} to the sequence${facts.sum === undefined ? '' : `: the sum is ${facts.sum}`}`;
}

/** Nobody has one: predictions stand on the board. */
export const score = () => null;

export const picture = () => [
  path('M24 12h58a8 8 0 0 1 8 8v18a8 8 0 0 1-8 8H46l-10 10V46H24a8 8 0 0 1-8-8V20a8 8 0 0 1 8-8z', 'w'),
  word(53, 29, '38!', 20, 'one'),
  path('M118 12h58a8 8 0 0 1 8 8v18a8 8 0 0 1-8 8h-12v10l-10-10h-36a8 8 0 0 1-8-8V20a8 8 0 0 1 8-8z', 'w'),
  word(147, 29, '41?', 20, 'two'),
  ...[3, 8, 1, 6].flatMap((n, at) => [box(46 + at * 28, 62, 24, 24, 'w', 5), word(58 + at * 28, 74, n, 14)]),
];

/** @param {ShowdownBoard} board @param {About} about @returns {HTMLElement} */
export function show(board, about) {
  const { moves = [], play } = about;
  const names = named(about);
  const guesses = moves
    .filter(({ move }) => move.startsWith(PREDICT))
    .map(({ move }) => Number(move.slice(PREDICT.length)));
  const predict = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (
      /** @type {HTMLFormElement} */ (event.currentTarget).elements.namedItem('guess')
    );
    if (play && guesses.includes(input.valueAsNumber)) (play(PREDICT + input.valueAsNumber), (input.value = ''));
  };
  return h('div', { class: 'board showdown' },
    h('div', { class: 'says' },
      board.predictions.map((guess, at) =>
        h('p', { class: `bubble p${at + 1}${guess === null ? ' silent' : ''}` },
          h('span', null, mark(at + 1), ' ', names[at] ?? ''),
          guess === null
            ? h('em', null, (board.written ?? 0) > at ? 'written down' : 'no prediction yet')
            : [
                h('span', null, board.written ? ' wrote ' : names[at] === YOU ? ' say ' : ' says '),
                h('strong', null, guess),
                board.first === at + 1 && h('small', null, 'said first'),
              ],
        ),
      ),
    ),
    h('ol', { class: 'sequence', 'aria-label': `The sequence: ${board.sequence.length} of ${board.picks} numbers` },
      upTo(board.picks).map((_, at) => {
        const number = board.sequence[at];
        const seat = board.players[at] ?? 0;
        return h(
          'li',
          { class: number === undefined ? 'slot' : `slot by${seat}${at === board.sequence.length - 1 ? ' new' : ''}` },
          number === undefined
            ? null
            : [number, mark(seat), h('span', { class: 'unseen' }, ` by ${names[seat - 1]}`)].map((part) => part),
        );
      }),
    ),
    h('p', { class: 'sum' },
      h('span', null, board.sequence.length < board.picks ? 'Sum so far' : 'Sum'),
      h('strong', null, board.sum),
    ),
    guesses.length > 0 &&
      h('form', { class: 'predict', onsubmit: predict },
        h('label', { for: 'guess' }, board.written !== undefined
          ? 'Your prediction of the final sum, which only you see until the end:'
          : 'Your prediction of the final sum, once, before you take a number:'),
        h('span', { class: 'row' },
          h('input', {
            id: 'guess',
            name: 'guess',
            type: 'number',
            inputmode: 'numeric',
            required: true,
            min: Math.min(...guesses),
            max: Math.max(...guesses),
          }),
          h('button', { class: 'button' }, board.written !== undefined ? 'Write it down' : 'Say it'),
        ),
      ),
    h('div', { class: 'tiles', role: 'group', 'aria-label': 'Numbers left' },
      upTo(board.high).map((number) => {
        const option = moves.find(({ move }) => move === String(number));
        const there = board.pool.includes(number);
        return press(
          option,
          about,
          {
            why: !there && `${number} is taken already. Choose another number.`,
            class: `tile stack${there ? 1 : 0}`,
            'data-key': number < 10 ? number : null,
            'aria-label': there ? `${number}${option ? `: add ${number} to the sequence${option.ends ? so(option) : option.facts ? `, then the sum is ${option.facts.sum}` : ''}` : ''}` : `${number}, taken`,
          },
          number,
          option?.facts && !option.ends && h('small', { 'aria-hidden': 'true' }, `→ ${option.facts.sum}`),
        );
      }),
    ),
  );
}
