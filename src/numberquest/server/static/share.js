// Taking a position elsewhere: into a game of one's own, or to a friend as a link.

import { h, sentence } from './dom.js';
import * as keep from './keep.js';
import { ONLY_HERE, onlyHere, outside } from './links.js';
import { ask, newKey } from './net.js';

/** @import { Context } from './page.d.ts' */
/** @import { NewMatch, Seated } from './wire.d.ts' */

/**
 * Go on from a position in a match of one's own.
 * @param {Context} context
 * @param {NewMatch} wanted
 */
export async function playOn(context, wanted) {
  try {
    const { match, token } = /** @type {Seated} */ (await ask('matches', { body: { name: keep.get('name', '') || null, key: newKey(), ...wanted } }));
    keep.note(match, { token });
    context.go(`/m/${match}`);
  } catch (error) {
    context.tell(sentence(error instanceof Error ? error.message : String(error)));
  }
}

/**
 * Copy a link, and say so in `status`.
 * @param {string} path
 * @param {HTMLElement} status
 */
export async function copyLink(path, status) {
  const href = outside(path);
  const field = h('input', { readonly: true, value: href, 'aria-label': 'The link' });
  const words = h('span', null, '✓ The link is copied. ');
  status.replaceChildren(words, field, onlyHere() ? ` ${ONLY_HERE}` : '');
  try {
    await navigator.clipboard.writeText(href);
  } catch {
    // On a plain http page there is no clipboard, only the old way.
    field.select();
    if (!document.execCommand('copy')) words.textContent = 'Copy this link: ';
  }
}
