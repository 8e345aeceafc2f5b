// Showdown: the sequence as it grows, and what both say about its sum.

import { h } from '../dom.js';
import { YOU, mark, named, press, upTo } from './parts.js';

/** @import { About } from '../page.d.ts' */
/** @import { ShowdownBoard } from '../wire.d.ts' */

export const keys = 'A digit adds that number to the sequence.';
const PREDICT = 'predict ';

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
  return h(
    'div',
    { class: 'board showdown' },
    h(
      'div',
      { class: 'says' },
      board.predictions.map((guess, at) =>
        h(
          'p',
          { class: `bubble p${at + 1}${guess === null ? ' silent' : ''}` },
          h('span', null, mark(at + 1), ' ', names[at] ?? ''),
          guess === null
            ? h('em', null, 'no prediction yet')
            : [
                h('span', null, names[at] === YOU ? ' say ' : ' says '),
                h('strong', null, guess),
                board.first === at + 1 && h('small', null, 'said first'),
              ],
        ),
      ),
    ),
    h(
      'ol',
      { class: 'sequence', 'aria-label': `The sequence: ${board.sequence.length} of ${board.picks} numbers` },
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
    h(
      'p',
      { class: 'sum' },
      h('span', null, board.sequence.length < board.picks ? 'Sum so far' : 'Sum'),
      h('strong', null, board.sum),
    ),
    h(
      'div',
      { class: 'tiles', role: 'group', 'aria-label': 'Numbers left' },
      upTo(board.high).map((number) => {
        const option = moves.find(({ move }) => move === String(number));
        const there = board.pool.includes(number);
        return press(
          option,
          about,
          {
            class: `tile stack${there ? 1 : 0}`,
            'data-key': number < 10 ? number : null,
            'aria-label': there ? `${number}${option ? `: ${option.words}` : ''}` : `${number}, taken`,
          },
          number,
          option && !option.ends && h('small', null, `→ ${option.result}`),
        );
      }),
    ),
    guesses.length > 0 &&
      h(
        'form',
        { class: 'predict', onsubmit: predict },
        h('label', { for: 'guess' }, 'Your prediction of the final sum, once in the game, before you take a number:'),
        h(
          'span',
          { class: 'row' },
          h('input', {
            id: 'guess',
            name: 'guess',
            type: 'number',
            inputmode: 'numeric',
            required: true,
            min: Math.min(...guesses),
            max: Math.max(...guesses),
          }),
          h('button', { class: 'button' }, 'Say it'),
        ),
      ),
  );
}
