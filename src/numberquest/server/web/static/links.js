// Addresses to hand on. One that says localhost opens nothing on another device; the server knows a better one.

/** @import { Games } from './wire.d.ts' */

const HERE = /^(localhost|127(\.\d+){3}|\[::1\])$/;
let origin = location.origin;

/** Said beside a link where there is no better one. */
export const ONLY_HERE = 'This link works on this computer only.';

/** Whether links open on this computer only, as far as is known yet. */
export const onlyHere = () => HERE.test(new URL(origin).hostname);

/** @param {Games} games as the server sent them */
export function learn({ address }) {
  if (address && onlyHere()) origin = address;
}

/** The whole address, for others. @param {string} path */
export const outside = (path) => new URL(path, origin).href;

/**
 * Put an address on the clipboard; false where it can only be marked, to be copied by hand.
 * @param {string} address
 * @param {HTMLInputElement | null | undefined} field where it stands
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
