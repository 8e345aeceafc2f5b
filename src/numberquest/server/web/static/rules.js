// The rules of a game in a dialog, as the server tells them.

import { boardOf } from './boards.js';
import { dialog, h, sentence } from './dom.js';
import { NAMES, teller } from './words.js';

/** @import { Context } from './page.d.ts' */

/** @param {Context} context @param {string} slug @param {string} house what is not classic, in words */
export async function rules(context, slug, house = '') {
  try {
    const game = (await context.games()).games.find((one) => one.game === slug);
    if (!game) return;
    const { proved } = game;
    const { say } = teller(game, await boardOf(slug), {}, NAMES);
    dialog(
      game.title,
      house && [
        h('p', { class: 'note' }, h('b', null, 'In this game: '), `${house}.`),
        h('p', null, 'The rules of the classic game, which hold in all else:'),
      ],
      game.rules.split('\n').map((line) => h('p', null, line)),
      // That is proved of the classic game only.
      !house && proved && h('p', { class: 'note' }, h('b', null, 'Who is favoured? '), sentence(say(proved))),
      h(
        'details',
        null,
        h('summary', null, 'What the rules leave open'),
        h(
          'dl',
          null,
          Object.entries(game.rulings).flatMap(([code, text]) => [h('dt', null, code), h('dd', null, text)]),
        ),
      ),
    );
  } catch (error) {
    context.tell(/** @type {Error} */ (error).message);
  }
}
