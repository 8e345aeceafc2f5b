// Where the page lives, and addresses to hand on. Links, requests and styles are written as seen from `<base>`: on a
// server that shares its host with others, that is a folder.

import { HOST } from '../host.js';

/** @import { Games } from '../wire.d.ts' */

const HERE = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const { pathname: root } = new URL(document.baseURI);
let base = document.baseURI;

/** Said beside a link where there is no better one. */
export const ONLY_HERE = 'This link works on this computer only.';

/** Whether links open on this computer only, as far as is known yet. */
export const onlyHere = () => HERE.test(new URL(base).hostname);

/**
 * An address that says localhost opens nothing on another device; the server knows a better one.
 * @param {Games} games as the server sent them
 */
export function learn({ address }) {
  if (address && onlyHere()) base = new URL(root, address).href;
}

/** The whole address, for others. @param {string} path */
export const outside = (path) => new URL(path, base).href;

/** What an address of ours says behind where the page lives; null where it is not ours. @param {string} path */
export function within(path) {
  if (path + '/' === root) return '';
  return path.startsWith(root) ? path.slice(root.length) : null;
}

/** An address of ours as it can be opened again: plain files have no page for each match, but one for all. @param {string} path */
export const addressOf = (path) => (HOST?.alone ? path.replace(/(^|\/)m\/([\w-]+)$/, '$1m/?$2') : path);

/** What an address shows: `m/ID`, `review`, and nothing for the games; null where it is not ours. @param {URL} url */
export function shownAt({ pathname, search }) {
  const path = within(pathname)?.replace(/\/$/, '') ?? null;
  return path === 'm' && search ? `m/${search.slice(1)}` : path;
}

/** Where the live connection of a match is. @param {string} id */
export const live = (id) => new URL(`ws/${id}`, document.baseURI).href.replace(/^http/, 'ws');

/**
 * Put an address on the clipboard; false where it can only be marked, to be copied by hand.
 * @param {string} address
 * @param {HTMLInputElement | HTMLTextAreaElement | null | undefined} field where it stands
 */
export async function copied(address, field) {
  try {
    await navigator.clipboard.writeText(address);
    return true;
  } catch {
    // On a plain http page there is no clipboard, only the old way.
    field?.select();
    return document.execCommand('copy');
  }
}
