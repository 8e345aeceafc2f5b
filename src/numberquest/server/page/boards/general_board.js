// The board of a game that brings none of its own: every field of its view in a fitting shape, and a button for each move.

import { named, numbers, press, so, track, upTo } from './board_parts.js';
import { h, mark, morph } from '../parts/dom.js';
import { HIDDEN, plain } from '../parts/words.js';
import { box, dot, piece, word } from './pictures.js';

/** @import { About, Settings } from '../page.d.ts' */
/** @import { Board, GameInfo, Line, Option, ViewField } from '../wire.d.ts' */
/** @import { Child } from '../parts/dom.js' */

/** With more moves than this, typing finds the one that is meant. */
const MANY = 30;
/** Of so many, these are in sight at once. */
const FIRST = 12;
/** With more than this, they stand in groups. */
const SOME = 9;
/** A pool of more numbers than this is told without those that are gone. */
const MOST_GONE = 40;
/** What was typed to find a move. */
let typed = '';

/** What stands for the game on the front page. @param {GameInfo} info */
export function picture({ title, view, board }) {
  const cells = view.find(({ kind }) => kind === 'cells');
  if (cells) {
    const wide = Math.min(cells.wide ?? 3, 8);
    const numbers = /** @type {(number | null)[]} */ (board[cells.name] ?? []).slice(0, 8 * wide);
    const tall = Math.ceil(numbers.length / wide);
    const size = Math.min(40, 84 / tall - 3, 160 / wide - 3);
    const [left, top] = [100 - (wide * (size + 3)) / 2, 48 - (tall * (size + 3)) / 2];
    return numbers.flatMap((number, n) => {
      const [x, y] = [left + (n % wide) * (size + 3), top + Math.floor(n / wide) * (size + 3)];
      const square = box(x, y, size, size, number === null ? 'a' : 'w', 5);
      return number === null ? [square] : [square, word(x + size / 2, y + size / 2, number, size * 0.55)];
    });
  }
  return [
    ...[34, 62, 90].map((y) => dot(20, y - 14, 3, 'w')),
    box(72, 16, 56, 64, 'i', 10),
    box(72, 11, 56, 64, 'w', 10),
    word(100, 43, title.trim().charAt(0).toUpperCase(), 40),
    piece(40, 48, 1),
    piece(160, 48, 2),
    ...[34, 62, 90].map((y) => dot(180, y - 14, 3, 'w')),
  ];
}

/** @param {Board} board @param {About} about @returns {HTMLElement} */
export function show(board, about) {
  const { moves = [], play, view = [], drawn = [], last } = about;
  const cells = view.find(({ kind }) => kind === 'cells');
  const pressed = pressable(moves, cells);
  return h('div', { class: 'board general' },
    view.map((field) => drawnField(field, board[field.name], about, field === cells ? pressed : [])),
    drawn.length > 0 &&
      h('p', { class: 'came', role: 'img', 'aria-label': `Came up: ${drawn.join(', ')}` },
        drawn.map((entry, at) => h('span', { class: 'face', 'data-id': `${at}/${entry}` }, entry)),
      ),
    last && h('p', { class: 'lastmove' }, mark(last.player), ` last move: `, h('b', null, last.entry === HIDDEN ? 'in secret' : last.entry)),
    play && moves.length > MANY && finder(board, about),
    // What is pressed on the board needs no buttons below it.
    play && !pressed.length && choices(moves, about),
  );
}

/** The move of each cell, where every move changes one cell and no two the same. @param {Option[]} moves @param {ViewField | undefined} cells @returns {Option[]} */
function pressable(moves, cells) {
  /** @type {Option[]} */
  const found = [];
  for (const option of moves) {
    const at = option.facts?.['cell'];
    // Where a cell holds a number, another move may change it another way: then there are buttons in the whole game.
    if (!cells?.marks || typeof at !== 'number' || found[at]) return [];
    found[at] = option;
  }
  return found;
}

/**
 * One field of the view.
 * @param {ViewField} field
 * @param {any} value
 * @param {About} about
 * @param {Option[]} pressed the moves of its cells
 */
function drawnField({ name, label: written, kind, target, high, wide, marks }, value, about, pressed) {
  const names = named(about);
  const label = written.replace(/Player ([12])/g, (_, player) => names[player - 1] ?? '');
  // Whose turn it is stands above the board.
  if (value === undefined || kind === 'turn' || name === 'player' || name === 'turn') return null;
  if (kind === 'scores') {
    const numbersOnly = value.every((/** @type {unknown} */ one) => typeof one === 'number');
    return numbersOnly && target
      ? h('div', { class: 'part' }, h('p', { class: 'label' }, `${label}, on the way to ${target}`), track(target, value, about))
      : pair(label, value.map((/** @type {unknown} */ one) => one ?? '–'), names);
  }
  if (kind === 'number' && target)
    return h('div', { class: 'part' },
      h('p', { class: 'sum' }, h('span', null, label), h('strong', null, value ?? '–'), h('span', null, `of ${target}`)),
      h('div', { class: 'way', 'aria-hidden': 'true' }, h('i', { vars: { '--at': Math.max(0, Math.min((value ?? 0) / target, 1)) } })),
    );
  if (kind === 'pool') return numbers(label, high && high <= MOST_GONE ? upTo(high) : [...new Set(value)].map(Number), value);
  if (kind === 'pile')
    return h('div', { class: 'heap' },
      h('span', { class: value.length ? 'back' : 'back none', 'aria-hidden': 'true' }),
      h('div', null, h('b', null, `${value.length} in the pile`), numbers(label, high && high <= MOST_GONE ? upTo(high) : [], value)),
    );
  if (kind === 'cells')
    return h('div', { class: 'part' },
      h('p', { class: 'label' }, label),
      h(
        'div',
        { class: 'cells', role: pressed.length ? 'group' : 'img', 'aria-label': `${label}: ${value.map((/** @type {number | null} */ one) => cellWords(one, marks, names)).join(', ')}`, vars: { '--wide': wide ?? value.length } },
        value.map((/** @type {number | null} */ one, /** @type {number} */ at) => {
          const look = { class: `cell${one === null ? '' : ' full'}${marks === 'lamps' ? ' lamp' : ''}${about.line?.includes(at) ? ' won-by' : ''}` };
          const inside = one === null ? '' : marks === 'players' ? mark(one) : marks === 'lamps' ? h('span', { 'aria-hidden': 'true' }, '●') : one;
          const option = pressed[at];
          return option ? press(option, about, { ...look, 'aria-label': `${option.move}: ${cellWords(one, marks, names)}${so(option)}` }, inside) : h('span', look, inside);
        }),
      ),
    );
  if (kind === 'flags') return value.some(Boolean) ? labelled(label, names.filter((_, at) => value[at]).join(' and ')) : null;
  if (kind === 'who') return value ? labelled(label, mark(value), ' ', names[value - 1]) : null;
  if (kind === 'number') return labelled(label, value ?? '–');
  if (Array.isArray(value)) return labelled(label, ...value.map((one) => h('span', { class: 'count' }, plain(one))));
  return labelled(label, plain(value));
}

/** @param {number | null} value @param {string | undefined} marks @param {string[]} names */
const cellWords = (value, marks, names) =>
  marks === 'lamps' ? (value ? 'on' : 'off') : value === null ? 'empty' : (marks === 'players' && names[value - 1]) || value;

/** @param {string} label @param {...Child} value */
const labelled = (label, ...value) => h('p', { class: 'labelled' }, h('span', { class: 'label' }, label), h('b', null, ...value));

/** @param {string} label @param {Child[]} values @param {string[]} names */
const pair = (label, values, names) =>
  h('p', { class: 'labelled' },
    h('span', { class: 'label' }, label),
    ...values.map((value, at) => h('span', { class: 'each' }, mark(at + 1), ` ${names[at]} `, h('b', null, value))),
  );

/** A field to type in what the move begins with, or its number. @param {Board} board @param {About} about */
function finder(board, about) {
  const { moves = [], play } = about;
  const find = (/** @type {Event} */ event) => {
    typed = /** @type {HTMLInputElement} */ (event.currentTarget).value.trim();
    const root = /** @type {Element} */ (event.currentTarget).closest('.board');
    if (root) morph(root, show(board, about));
  };
  const go = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const [option] = fitting(moves);
    if (!option || !typed) return;
    typed = '';
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    form.reset();
    play?.(option.move);
  };
  return h('form', { class: 'finder', onsubmit: go },
    h('label', { for: 'find-move' }, `${moves.length} moves are allowed. Type the one that you want:`),
    h('span', { class: 'row' }, h('input', { id: 'find-move', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', oninput: find }), h('button', { class: 'button' }, 'Play it')),
  );
}

/** The moves that fit what was typed, the very one first. @param {Option[]} moves */
function fitting(moves) {
  const wanted = typed.toLowerCase();
  if (!wanted || moves.length <= MANY) return moves;
  const has = moves.filter(({ move }) => move.toLowerCase().includes(wanted));
  return has.sort((a, b) => Number(b.move.toLowerCase() === wanted) - Number(a.move.toLowerCase() === wanted));
}

/** What a move has besides its last number, by which it stands with others. @param {string} move */
const family = (move) => /^(.*?)\d+$/.exec(move)?.[1] ?? '';

/** Every move as a button. @param {Option[]} moves @param {About} about */
function choices(moves, about) {
  const found = fitting(moves);
  const shown = found.length > MANY ? found.slice(0, FIRST) : found;
  const single = shown.some(({ move }) => move.length === 1);
  const button = (/** @type {Option} */ option, /** @type {number} */ at) => {
    const { move, result, ends } = option;
    const key = single ? (move.length === 1 ? move.toLowerCase() : null) : at < 9 ? String(at + 1) : null;
    return press(
      option,
      about,
      {
        class: 'choice',
        'data-key': key,
        'aria-label': `${move}${result === undefined ? '' : `, comes to ${result}`}${so(option)}`,
      },
      h('b', null, move),
      key !== null && key !== move.toLowerCase() && h('kbd', { 'aria-hidden': 'true' }, key),
      result !== undefined && !ends && h('small', { 'aria-hidden': 'true' }, `→ ${result}`),
    );
  };
  const families = [...new Set(shown.map(({ move }) => family(move)))];
  const grouped = shown.length > SOME && families.length > 1 && families.length < shown.length / 1.5;
  const rest = found.slice(shown.length);
  return h('div', { class: 'choosing', role: 'group', 'aria-label': 'Moves' },
    (grouped ? families : ['']).map((each) =>
      h('div', { class: 'choices-row' }, shown.map((option, at) => (!grouped || family(option.move) === each) && button(option, at))),
    ),
    rest.length > 0 &&
      h('details', null, h('summary', null, `and ${rest.length} more`), h('div', { class: 'choices-row' }, rest.map((option) => button(option, MANY)))),
  );
}
