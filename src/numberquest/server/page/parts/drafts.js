// Games that somebody makes here: as a link that carries all of the game, and kept in this browser.

import * as keep from './keep.js';

/** @typedef {{ kind: 'python' | 'recipe', text: string }} Draft */

/** So many signs a game may have. */
export const LONGEST = 60_000;
/** And so many a link. */
const LONGEST_LINK = 80_000;
const LAST = 'draft';
const DRAFTS = 'drafts';
/** So many are kept. */
const MOST = 30;

/** @param {string} text @param {CompressionStream | DecompressionStream} through */
const stream = (text, through) => new Blob([/** @type {BlobPart} */ (Uint8Array.from(text, (sign) => sign.charCodeAt(0)))]).stream().pipeThrough(/** @type {any} */ (through));

/** A text as a link carries it. @param {string} text */
export async function packed(text) {
  const bytes = new TextEncoder().encode(text);
  const body = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const small = new Uint8Array(await new Response(body).arrayBuffer());
  return btoa(Array.from(small, (byte) => String.fromCharCode(byte)).join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The text that a link carries; null where it carries none, or more than a game has. @param {string} code @returns {Promise<string | null>} */
export async function unpacked(code) {
  if (!code || code.length > LONGEST_LINK || /[^\w-]/.test(code)) return null;
  try {
    const reader = stream(atob(code.replaceAll('-', '+').replaceAll('_', '/')), new DecompressionStream('deflate-raw')).getReader();
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      text += decoder.decode(value, { stream: true });
      // A small link can hold a very long text: no more of it is looked at than a game may have.
      if (text.length > LONGEST) return void reader.cancel().catch(() => undefined), null;
    }
  } catch {
    return null;
  }
}

/** The address of a game, with all of it. @param {Draft} draft */
export const linkTo = async ({ kind, text }) => `workshop#${kind}=${await packed(text)}`;

/** What was made here last: of this kind, or of any. @param {Draft['kind']} [kind] @returns {Draft | null} */
export const last = (kind) => keep.get(`${LAST}.${kind ?? keep.get(LAST, 'recipe')}`, null);
/** @param {Draft} draft */
export function keepLast(draft) {
  keep.set(LAST, draft.kind);
  keep.set(`${LAST}.${draft.kind}`, draft);
}

/** The games that were made here, newest first. @returns {(Draft & { title: string })[]} */
export const drafts = () => keep.get(DRAFTS, []);
/** Keep a game that is one, by its title. @param {Draft} draft @param {string} title */
export const keepDraft = (draft, title) =>
  keep.set(DRAFTS, [{ ...draft, title }, ...drafts().filter((one) => one.title !== title || one.kind !== draft.kind)].slice(0, MOST));
