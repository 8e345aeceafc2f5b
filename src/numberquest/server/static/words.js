// A match in words.

import { sentence } from './dom.js';

/** @import { Table } from './page.d.ts' */
/** @import { Line, State } from './wire.d.ts' */

/** @param {State} state @param {number} seat */
export const nameOf = (state, seat) => state.players[seat - 1]?.name ?? '';
/** @param {State} state @param {Line} line */
export const told = (state, line) => sentence(line.player ? `${nameOf(state, line.player)} ${line.words}` : line.words);
/** @param {string} name */
const owned = (name) => `${name}’${name.endsWith('s') ? '' : 's'}`;
/** Whose turn it is, in words. @param {Table} table */
export function turnWords({ state, seats }) {
  if (state.outcome) return 'Game over';
  if (!state.turn) return 'Waiting for the other player';
  return seats.length === 1 && seats.includes(state.turn) ? 'Your turn' : `${owned(nameOf(state, state.turn))} turn`;
}
