// Opening an invitation.

import { infoOf } from './boards.js';
import { h, sentence } from './dom.js';
import * as keep from './keep.js';
import { ask, newKey, Trouble } from './net.js';
import { houseRules } from './words.js';

/** @import { Context } from './page.d.ts' */
/** @import { Seated, State } from './wire.d.ts' */

/**
 * Take the seat of an invitation; a known name sits down at once.
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
      const seated = /** @type {Seated} */ (
        await ask(`matches/${state.match}/join`, { body: { invite, name: name || null, key } })
      );
      keep.note(state.match, { token: seated.token });
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
  if (known || state.players.every((player) => player.joined)) {
    said.textContent = await join(known);
    if (!said.textContent) return;
  }
  context.title('You are invited');
  const house = houseRules(await infoOf(context, state), state.settings);
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
      h(
        'form',
        { class: 'sheet narrow', onsubmit: sit },
        h('h1', { tabindex: '-1' }, `${host ?? 'A friend'} invites you to play ${state.short_title}`),
        house && h('p', null, `With house rules: ${house}.`),
        h('label', { for: 'name' }, 'Your name'),
        h(
          'p',
          { class: 'row' },
          h('input', {
            id: 'name',
            name: 'name',
            maxlength: 30,
            value: known,
            autocomplete: 'nickname',
          }),
          h('button', { class: 'go' }, 'Sit down'),
        ),
        said,
      ),
    );
    main.querySelector('input')?.focus();
  });
  main.replaceChildren();
  main.focus();
}
