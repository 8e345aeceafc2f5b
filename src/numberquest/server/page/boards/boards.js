// The board of a game: its own, from its folder, and for all that it does not bring itself the general one.

import { stylesheet } from '../parts/dom.js';
import * as general from './general_board.js';
import { STYLED } from '../sentences.js';

/** @import { BoardModule, Context } from '../page.d.ts' */
/** @import { GameInfo, Line } from '../wire.d.ts' */

/**
 * How a game is drawn and told. A board of somebody's own that does not load leaves the general one.
 * @param {string} slug
 * @returns {Promise<BoardModule>}
 */
export async function boardOf(slug) {
  const folder = `games/${slug}`;
  const [own] = await Promise.all([import(`../${folder}/board.js`).catch(() => ({})), STYLED.includes(slug) || stylesheet(`static/${folder}/board.css`)]);
  return { ...general, hue: general.hueOf(slug), ...own };
}

/** What a board shows of a history: the last move that somebody made, and what came up since. @param {Line[]} history */
export function sinceMove(history) {
  const at = history.findLastIndex(({ player }) => player > 0);
  return { last: history[at] ?? null, drawn: history.slice(at + 1).map(({ entry }) => entry) };
}

/** What is known of a game; a little, where the server has no time to tell. @param {Context} context @param {Pick<GameInfo, 'game' | 'title' | 'short_title'>} known @returns {Promise<GameInfo>} */
export async function infoOf(context, { game, title, short_title }) {
  const games = await context.games().catch(() => null);
  const nothing = { summary: '', goal: '', rules: '', rulings: {}, endings: {}, proved: null, value: null, stars: null, turns: /** @type {[number, number]} */ ([0, 0]), luck: null, settings: [], view: [], board: {}, atlas: false };
  return games?.games.find((one) => one.game === game) ?? { game, title, short_title, chance: '', ...nothing };
}
