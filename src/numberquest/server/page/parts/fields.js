// Fields of forms: a name, a switch, a choice.

import { h } from './dom.js';
import * as keep from './keep.js';

/** @import { Child, Props } from './dom.js' */

/** So many signs a name may have. */
const LONGEST = 30;
const CUT = `A name has at most ${LONGEST} signs, so the rest is left out.`;

/** What of a name fits: it is counted as the server counts it, and nothing that is seen as one is cut in two. @param {string} name */
export function fitting(name) {
  const signs = 'Segmenter' in Intl ? [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment) : [...name];
  while ([...signs.join('').normalize()].length > LONGEST) signs.pop();
  return signs.join('');
}

/** A field for somebody's name, which says so where one is too long. @param {Props & { oninput?: (event: Event) => void }} props */
export function nameField({ oninput, ...props }) {
  const typed = (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const [typed, fits] = [input.value, fitting(input.value)];
    if (typed !== fits) input.value = fits;
    if (input.nextElementSibling) input.nextElementSibling.textContent = typed === fits ? '' : CUT;
    oninput?.(event);
  };
  return [h('input', { ...props, oninput: typed }), h('small', { class: 'cut', role: 'status' })];
}

/** A field with its label, and what is to be known about it. @param {string} id @param {string} label @param {...(Child | Child[])} inside */
export const labelled = (id, label, ...inside) => h('div', { class: 'field' }, h('label', { for: id }, label), ...inside);

/** @param {[string, string][]} options each value with its words @param {string} at the one that is chosen @param {Props} props */
export const select = (options, at, props) =>
  h('select', props, options.map(([value, words]) => h('option', { value, selected: value === at }, words)));

/** A choice of a few, all in sight. @param {string} name @param {[string, string][]} options @param {string} at @param {(value: string) => void} [change] */
export const pills = (name, options, at, change) =>
  h('div', { class: 'pills' }, options.map(([value, words]) => {
    const onchange = change && (() => change(value));
    return h('label', null, h('input', { type: 'radio', name, value, checked: value === at, onchange }), h('span', null, words));
  }));

/** @param {boolean} checked @param {string} words @param {(box: HTMLInputElement) => void} change @param {string} [kind] */
export const flip = (checked, words, change, kind = '') => {
  const onchange = (/** @type {Event} */ event) => change(/** @type {HTMLInputElement} */ (event.target));
  return h('label', { class: `switch ${kind}`.trim() }, h('input', { type: 'checkbox', role: 'switch', checked, onchange }), words);
};

/**
 * A switch that this browser remembers.
 * @param {string} name
 * @param {boolean} otherwise how it stands until somebody touches it
 * @param {string} words
 */
export const toggle = (name, otherwise, words) => flip(keep.get(name, otherwise), words, ({ checked }) => keep.set(name, checked));
