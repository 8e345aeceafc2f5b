// A match in words.

import { sentence } from './dom.js';

/** @import { Table } from './page.d.ts' */
/** @import { Line, State } from './wire.d.ts' */

/** @param {State} state @param {number} seat */
export const nameOf = (state, seat) => state.players[seat - 1]?.name ?? '';
/** @param {State} state @param {Line} line */
export const told = (state, line) => sentence(line.player ? `${nameOf(state, line.player)} ${line.words}` : line.words);
/** Who resigned, in words; empty where nobody did. @param {State} state */
export const resignation = ({ outcome }) => (outcome?.resigned ? sentence(outcome.reason) : '');
/** @param {string} name */
const owned = (name) => `${name}’${name.endsWith('s') ? '' : 's'}`;
/** The points of a series. @param {State} state */
export const points = (state) =>
  `${nameOf(state, 1)} ${state.series.points[0]} : ${state.series.points[1]} ${nameOf(state, 2)}`;
/** Whose turn it is, in words. @param {Table} table */
export function turnWords({ state, seats }) {
  if (state.outcome) return 'Game over';
  if (!state.turn) return 'Waiting for the other player';
  return seats.length === 1 && seats.includes(state.turn) ? 'Your turn' : `${owned(nameOf(state, state.turn))} turn`;
}
/** An operation as people write it. @param {string} typed */
export const sign = (typed) => ({ '-': '−', '*': '×', '/': '÷' })[typed] ?? typed;
/** A text about a game with its moves as they stand on its board. @param {string} game @param {string} text */
export const written = (game, text) =>
  game === 'grid' ? text.replace(/(?<![\d,.])(\d),(\d)(?![\d,])/g, 'row\u00a0$1, column\u00a0$2') : signed(text);
/** A text with the moves in it as they stand on a board: `6*` becomes × 6, on one line. @param {string} text */
export const signed = (text) =>
  text.replace(/(?<!\S)(\d+)([-+*/])(?![^\s,.:])/g, (_, number, typed) => `${sign(typed)}\u00a0${number}`);
