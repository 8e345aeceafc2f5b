// The rules of a game in a dialog, as the server tells them.

import { dialog, h, sentence } from './dom.js';

/** @import { Context } from './page.d.ts' */

/** @param {Context} context @param {string} slug */
export async function rules(context, slug) {
  try {
    const game = (await context.games()).games.find((one) => one.game === slug);
    if (!game) return;
    dialog(
      game.title,
      game.rules.split('\n').map((line) => h('p', null, line)),
      h('p', { class: 'note' }, h('b', null, 'Who is favoured? '), sentence(game.proved)),
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
