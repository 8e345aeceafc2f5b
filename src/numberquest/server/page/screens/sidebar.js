// Beside the board: what happened, who can look, why it is fair, which keys there are.

import { HOST } from '../host.js';
import { h, sentence } from '../parts/dom.js';
import { toggle } from '../parts/fields.js';
import * as keep from '../parts/keep.js';
import { copied, onlyHere, outside } from '../parts/links.js';
import { fast } from '../parts/stages.js';
import { resignation } from '../parts/words.js';

/** @import { Context, Shown } from '../page.d.ts' */
/** @import { Child } from '../parts/dom.js' */

/**
 * A link to hand on, with a button that copies it.
 * @param {string} label
 * @param {string} path
 * @param {Context} context
 * @param {string} title
 */
export function link(label, path, context, title) {
  const address = outside(path);
  const copy = async (/** @type {Event} */ event) => {
    const field = /** @type {Element} */ (event.currentTarget).parentElement?.querySelector('input');
    context.tell((await copied(address, field)) ? 'The link is copied.' : 'Copy the link that is marked now.');
  };
  const share = () => void navigator.share({ title: `Number Quest: ${title}`, url: address }).catch(() => undefined);
  return h('p', { class: 'row link' },
    h('input', { readonly: true, value: address, 'aria-label': label }),
    h('button', { class: 'go', onclick: copy }, 'Copy'),
    'share' in navigator && h('button', { class: 'button', onclick: share }, 'Share'),
  );
}

/** @param {string} title @param {...Child} inside */
const folded = (title, ...inside) => h('details', { class: 'sheet' }, h('summary', null, title), ...inside);

/** @param {Shown} shown */
export function sidebar(shown) {
  const { id, state, seats, context, module, teller } = shown;
  const { token } = keep.match(id);
  return h('aside', { class: 'aside', 'aria-label': 'About this game' },
    h('details', { class: 'sheet', open: innerWidth > 900 },
      h('summary', null, 'History'),
      state.history.length || resignation(shown)
        ? h('ol', { class: 'history', tabindex: '0', 'aria-label': 'History' },
            state.history.map((line) => h('li', { class: `p${line.player}` }, teller.line(line))),
            state.outcome?.resigned && h('li', { class: `p${3 - (state.outcome.winner ?? 0)}` }, resignation(shown)),
          )
        : h('p', null, 'Every move will be written down here.'),
    ),
    h('details', { class: 'sheet', open: !!state.seal?.seed, 'data-opens': state.seal?.seed ? 'over' : null },
      h('summary', null, 'How do I know it is fair?'),
      fair(shown),
    ),
    // Nobody else finds what is in this browser alone.
    !context.table && !inBrowser(id) && folded(
      'Links',
      h('h2', { class: 'part' }, 'For people who want to watch'),
      link('Link to watch', `m/${id}`, context, state.short_title),
      seats.length > 0 && token && h('h2', { class: 'part' }, 'For you, on another device'),
      seats.length > 0 && token && link('Link to your seat', `m/${id}#seat=${token}`, context, state.short_title),
      seats.length > 0 && h('p', null, 'Keep that one to yourself: whoever has it plays for you.'),
      onlyHere() && h('p', null, 'These links work on this computer only.'),
    ),
    folded('Keys', h('p', null, module.keys), toggle('keys', true, 'Use these keys')),
    folded(
      'Speed and sound',
      toggle('fast', fast(), 'Fast: show every move at once'),
      toggle('sound', false, 'Sound'),
      'vibrate' in navigator && toggle('vibration', !matchMedia('(prefers-reduced-motion: reduce)').matches, 'Vibration'),
    ),
  );
}

/** What the check of a match's hidden numbers said. @type {Map<string, string>} */
const checked = new Map();

/** Whether a match is in this browser alone, and on no server. @param {string} id */
const inBrowser = (id) => HOST?.alone || !!keep.match(id).here;

/** The promise about the hidden numbers. @param {Shown} shown */
function fair(shown) {
  const { id, state } = shown;
  const { seal } = state;
  if (!state.chance && !state.secrets) return h('p', null, 'Nothing is hidden in this game: you both see everything.');
  const deck = state.chance === 'deck';
  if (state.practice || !seal)
    return h('p', null,
      !state.chance ? 'This is practice: choices made in secret are not sealed here.' :
      deck
        ? 'This is practice: its deal was known beforehand, from a seed or from another game that it was taken up from. ' +
            'Numbers that came up there come up here again. Only where a record does not tell the deal is the rest ' +
            'shuffled anew.'
        : 'This is practice: what comes up follows from a known seed, or from the game that it was taken up from.',
    );
  const check = async (/** @type {Event} */ event) => {
    const said = /** @type {Element} */ (event.currentTarget).parentElement?.querySelector('output');
    const { check } = await import('../parts/seal.js');
    const { commitment, seals } = keep.match(id);
    const { fits, words } = check({ ...seal, commitment: commitment ?? seal.commitment }, state.history, seals);
    // Kept, because the next drawing of the page would wipe it out.
    checked.set(id, `${fits ? '✓' : '✕'} ${sentence(words)}`);
    if (said) said.textContent = checked.get(id) ?? '';
  };
  return h('div', null,
    h('p', null,
      `Before the first move ${inBrowser(id) ? 'this page' : 'the server'} ${deck ? 'put all hidden numbers in order by a secret' : state.chance ? 'chose a secret that settles everything that is drawn' : 'chose a secret'}, ` +
        'and showed you the fingerprint of that secret. After the game it shows the secret, and everybody can check that it fits.',
    ),
    state.secrets && h('p', null, 'Every choice made in secret was sealed with that secret when it was made, before the other one chose.'),
    h('p', null, 'Fingerprint (SHA-256): ', h('code', null, seal.commitment)),
    seal.seed !== null && h('p', null, 'Secret: ', h('code', null, seal.seed)),
    seal.seed !== null && h('button', { class: 'button', onclick: check }, deck ? 'Check the deal' : state.chance ? 'Check the draws' : 'Check the seals'),
    h('output', null, checked.get(id) ?? ''),
    seal.seed !== null &&
      h('p', null, 'To check it without this page: download the record, then run ', h('code', null, 'numberquest verify FILE'), '.'),
  );
}
