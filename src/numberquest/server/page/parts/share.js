// Beginning a match, from the start or from a position, and handing a position on as a link.

import { errorWords, h } from './dom.js';
import * as keep from './keep.js';
import { copied, ONLY_HERE, onlyHere, outside } from './links.js';
import { ask, newKey } from './net.js';

/** @import { Context } from '../page.d.ts' */
/** @import { NewMatch, Seated } from '../wire.d.ts' */

/** Matches that were begun here, as they stood: to show one, nothing needs to be asked first. @type {Map<string, Seated>} */
export const begun = new Map();

/**
 * Begin a match, and go there. Answers what was wrong, if anything was.
 * @param {Context} context
 * @param {NewMatch} wish
 */
export async function begin(context, wish) {
  try {
    /** @type {Seated} */
    const seated = await ask('matches', { body: { name: keep.get('name', '') || null, key: newKey(), ...wish } });
    const { match, token, invite } = seated;
    keep.note(match, { token, invite: invite ?? undefined });
    begun.set(match, seated);
    context.go(`m/${match}`);
    return '';
  } catch (error) {
    const words = errorWords(error);
    context.tell(words);
    return words;
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
  if (!(await copied(href, field))) words.textContent = 'Copy this link: ';
}
