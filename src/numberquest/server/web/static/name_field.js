// A field for somebody's name, which says it where one is too long.

import { h } from './dom.js';

/** @import { Props } from './dom.js' */

/** So many signs a name may have. */
const LONGEST = 30;
const CUT = `A name has at most ${LONGEST} signs, so the rest is left out.`;

/** @param {Props & { oninput?: (event: Event) => void }} props */
export function nameField({ oninput, ...props }) {
  const typed = (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const signs = [...input.value];
    if (signs.length > LONGEST) input.value = signs.slice(0, LONGEST).join('');
    if (input.nextElementSibling) input.nextElementSibling.textContent = signs.length > LONGEST ? CUT : '';
    oninput?.(event);
  };
  return [h('input', { ...props, oninput: typed }), h('small', { class: 'cut', role: 'status' })];
}
