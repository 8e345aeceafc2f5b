// The rules of a game in a dialog, as the server tells them.

import { boardOf, infoOf, isRecipe } from '../boards/boards.js';
import { dialog, h, sentence } from '../parts/dom.js';
import * as keep from '../parts/keep.js';
import { ask } from '../parts/net.js';
import { houseRules, NAMES, teller, typed } from '../parts/words.js';

/** @import { Context, Settings } from '../page.d.ts' */
/** @import { GameInfo, Rules } from '../wire.d.ts' */

/** The rules as they hold under these settings. @param {GameInfo} game @param {Settings} settings @returns {Promise<Rules>} */
export async function rulesOf(game, settings) {
  if (!houseRules(game, settings)) return game;
  return ask(`rules?${new URLSearchParams({ game: game.game, settings: typed(settings) })}`);
}

/** @param {Context} context @param {string} slug @param {Settings} settings */
export async function rules(context, slug, settings = {}) {
  try {
    const game = await infoOf(context, { game: slug, title: '', short_title: '' });
    if (!game.rules) return;
    const { proved } = game;
    const house = houseRules(game, settings);
    const told = await rulesOf(game, settings);
    const { say } = teller(game, await boardOf(slug), {}, NAMES);
    dialog(
      told.title,
      house && h('p', { class: 'note' }, h('b', null, 'In this game: '), `${house}.`),
      // Not every game says its settings in its rules.
      house && told.rules === game.rules && h('p', null, 'The rules of the classic game, which hold in all else:'),
      !isRecipe(slug) && h('p', null, h('a', { class: 'button', href: `lesson/${slug}`, onclick: () => document.querySelector('dialog')?.close() }, 'Learn it by playing')),
      told.rules.split('\n').map((line) => h('p', null, line)),
      // That is proved of the classic game only.
      !house && proved && h('details', { open: keep.get('proved', false) }, h('summary', null, 'Who is favoured?'), h('p', { class: 'note' }, sentence(say(proved)))),
      h('details', null, h('summary', null, 'What the rules leave open'),
        h('dl', null, Object.entries(told.rulings).flatMap(([code, text]) => [h('dt', null, code), h('dd', null, text)]))),
    );
  } catch (error) {
    context.tell(/** @type {Error} */ (error).message);
  }
}
