// Opening an invitation.

import { boardOf, infoOf, isRecipe } from '../boards/boards.js';
import { h, row, sentence } from '../parts/dom.js';
import * as keep from '../parts/keep.js';
import { nameField } from '../parts/fields.js';
import { ask, newKey, Trouble } from '../parts/net.js';
import { picture } from '../boards/pictures.js';
import { rulesOf } from './rules.js';
import { NAMES, teller } from '../parts/words.js';

/** @import { Context } from '../page.d.ts' */
/** @import { Seated, State } from '../wire.d.ts' */

/**
 * Take the seat of an invitation. Who has a name and has played the game before sits down at once; others see first
 * what it is.
 * @param {HTMLElement} main
 * @param {Context} context
 * @param {State} state
 * @param {string} invite
 * @returns {Promise<void>}
 */
export async function sitDown(main, context, state, invite) {
  // One key for all tabs: the same link opened twice is the same seat.
  const key = keep.joinKey(state.match, newKey);
  /** What was wrong, if it can be tried again. @param {string} name */
  const join = async (name) => {
    try {
      /** @type {Seated} */
      const { token } = await ask(`matches/${state.match}/join`, { body: { invite, name: name || null, key } });
      keep.note(state.match, { token });
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      const words = sentence(error.message);
      // The seat is taken, or the invitation is none: there is nothing to try again.
      if (error.code !== 'not-allowed' && error.code !== 'no-seat') return words;
      context.tell(words);
    }
    return '';
  };
  const known = keep.get('name', '');
  const said = h('output');
  const played = keep.matches().some(([, one]) => one.title === state.short_title);
  if ((known && played) || state.players.every((player) => player.joined)) {
    said.textContent = await join(known);
    if (!said.textContent) return;
  }
  context.title('You are invited');
  const [module, info] = await Promise.all([boardOf(state.game), infoOf(context, state)]);
  const { house, goal } = teller(info, module, state.settings, NAMES);
  // Who is asked to sit down reads the rules of this very game; without them the seat is there all the same.
  const told = await rulesOf(info, state.settings).catch(() => null);
  await new Promise((done) => {
    const sit = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const name = String(new FormData(/** @type {HTMLFormElement} */ (event.currentTarget)).get('name')).trim();
      join(name).then((words) => {
        said.textContent = words;
        if (words) return;
        if (name) keep.set('name', name);
        done(undefined);
      });
    };
    const host = state.players.find((player) => player.joined)?.name;
    main.replaceChildren(
      h('form', { class: 'sheet narrow game', onsubmit: sit, vars: { '--hue': module.hue } },
        h('div', { class: 'picture' }, picture(module.picture({ ...info, view: state.view, board: { ...state.settings, ...state.board } }))),
        h('h1', { tabindex: '-1' }, `${host ?? 'A friend'} invites you to play ${state.short_title}`),
        h('p', null, goal),
        house && h('p', null, `With house rules: ${house}.`),
        !state.marks && h('p', null, 'Without marks and sums: you work out yourselves what a move comes to.'),
        h('label', { for: 'name' }, 'Your name'),
        row(...nameField({ id: 'name', name: 'name', value: known, autocomplete: 'nickname' }), h('button', { class: 'go' }, 'Sit down')),
        said,
        told?.rules && h('details', { open: true }, h('summary', null, 'The rules'), told.rules.split('\n').map((line) => h('p', null, line))),
        // In a tab of its own: here the seat waits.
        !isRecipe(state.game) && h('p', null, h('a', { href: `lesson/${state.game}`, target: '_blank' }, 'Learn it by playing, in a tab of its own')),
      ),
    );
    main.querySelector('input')?.focus();
  });
  main.replaceChildren();
  main.focus();
}
