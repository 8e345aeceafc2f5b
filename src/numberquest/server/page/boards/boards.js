// The board of a game: its own, from its folder, and for all that it does not bring itself the general one.

import { stylesheet } from '../parts/dom.js';
import { ask } from '../parts/net.js';
import { HIDDEN } from '../parts/words.js';
import { STYLED } from '../sentences.js';

/** @import { BoardModule, Context, Settings } from '../page.d.ts' */
/** @import { Board, GameInfo, Line, ViewField } from '../wire.d.ts' */

const keys = 'The digit or letter that stands on a button presses it; Tab goes from one to the next.';

/** A colour that is always the same for a game. @param {string} slug */
function hueOf(slug) {
  const sum = [...slug].reduce((all, letter) => (all * 31 + letter.charCodeAt(0)) % 3600, 7);
  return `hsl(${sum / 10} 55% 60%)`;
}

/** A move as it stands on the board. @param {string} move */
const written = (move) => move;

/** An entry of the history, without a name in front. @param {Line} line @param {Settings} _settings @returns {string} */
const told = ({ player, entry }, _settings) => (player ? `plays ${entry}` : `${entry} comes up`);

/** What lies there between a move and what it uncovers: nothing has changed yet. @param {Board} before @param {Board} _after */
const between = (before, _after) => before;

/** A player's score, where there is one. @param {Board} board @param {number} at @param {ViewField[]} view @returns {number | null} */
function score(board, at, view) {
  const field = view.find(({ kind }) => kind === 'scores');
  return field ? (board[field.name]?.[at] ?? null) : null;
}

/**
 * How a game is drawn and told. A board of somebody's own that does not load leaves the general one.
 * @param {string} slug
 * @returns {Promise<BoardModule>}
 */
export async function boardOf(slug) {
  const folder = `games/${slug}`;
  // A recipe has no files of its own.
  const [own] = isRecipe(slug) ? [/** @type {Partial<BoardModule>} */ ({})] : await Promise.all([import(`../${folder}/board.js`).catch(() => ({})), STYLED.includes(slug) || stylesheet(`static/${folder}/board.css`)]);
  // Most games draw their own: the general board comes where one does not.
  const general = own.show && own.picture ? {} : await import('./general_board.js');
  return { keys, written, told, between, score, hue: hueOf(slug), ...general, ...own };
}

/** What a board shows of a history: the last move that somebody made, and what came up since. @param {Line[]} history */
export function sinceMove(history) {
  const at = history.findLastIndex(({ player }) => player > 0);
  return { last: history[at] ?? null, drawn: history.slice(at + 1).map(({ entry }) => entry).filter((entry) => entry !== HIDDEN) };
}

/** Whether that is a game whose name carries all of it, so that no list has it. @param {string} game */
export const isRecipe = (game) => game.startsWith('recipe:');

/** What its files are called. @param {string} game */
export const fileName = (game) => (isRecipe(game) ? 'recipe' : game);

/** What is known of a game; a little, where the server has no time to tell. @param {Context} context @param {Pick<GameInfo, 'game' | 'title' | 'short_title'>} known @returns {Promise<GameInfo>} */
export async function infoOf(context, { game, title, short_title }) {
  const games = await context.games().catch(() => null);
  const found = games?.games.find((one) => one.game === game) ?? (isRecipe(game) ? await ask(`game?${new URLSearchParams({ game })}`).catch(() => null) : null);
  if (found) return found;
  const nothing = { summary: '', goal: '', rules: '', rulings: {}, endings: {}, proved: null, value: null, stars: null, turns: /** @type {[number, number]} */ ([0, 0]), luck: null, settings: [], view: [], board: {}, atlas: false };
  return { game, title, short_title, chance: '', ...nothing };
}
