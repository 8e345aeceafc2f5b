// A recipe as a form: a step for each of its sections, a field for each thing that it may say. Every change changes one
// line of its text, which is all there is.

import { h } from './dom.js';
import { labelled, select } from './fields.js';
import { asTyped, withKey, written } from './recipe_text.js';
import { KEYS } from '../recipe_keys.js';

/** @import { RecipeKey } from '../recipe_keys.d.ts' */

/** The steps, in their order, with what each is about. @type {[string, string, string][]} */
const STEPS = [
  ['', 'The game', 'What is it called?'],
  ['numbers', 'Numbers', 'Which are there, and do they lie open or covered, or does a die show them?'],
  ['totals', 'Totals', 'Is there one for both, or one for each?'],
  ['turn', 'A turn', 'What may a player do?'],
  ['cells', 'A board', 'Only where marks or covered numbers lie in rows.'],
  ['end', 'The end', 'When is it over, and who wins?'],
  ['words', 'Words', 'What things are called, where other words are better.'],
];
/** These stand open at first. */
const OPEN = ['', 'numbers', 'end'];
/** What nearly every game says; all else is there for whoever looks for it, or where the recipe says it. */
const MAIN = ['title', 'summary', 'numbers.kind', 'numbers.from', 'numbers.to', 'totals.whose', 'totals.begin', 'turn.operations', 'cells.rows', 'cells.columns', 'cells.line', 'end.target', 'end.exactly', 'end.past'];

/** What is long to explain has a short name, and is explained below it. @type {Record<string, string>} */
const SHORT = { 'numbers.kind': 'How do they come?', 'turn.below': 'Below 0', 'turn.barred': 'Barred', 'end.past': 'Past the target', 'end.nothing_left': 'When nothing is left', 'end.stuck': 'When one cannot move' };
/** Of these it is said what they may be. */
const NUMBERS = ['whole', 'wholes', 'signs'];

/** What a recipe says. @typedef {Record<string, any>} Says */

/**
 * @param {Says} says as the text says it, by sections
 * @param {() => string} text
 * @param {(text: string) => void} changed
 */
export function recipeForm(says, text, changed) {
  const settings = Object.keys(says['settings'] ?? {});
  const set = (/** @type {RecipeKey} */ { section, name, kind }, /** @type {string} */ typed) => changed(withKey(text(), section, name, written(kind, typed)));

  /** @param {RecipeKey} key */
  function field(key) {
    const { section, name, kind, words, usual } = key;
    const short = SHORT[`${section}.${name}`];
    const [meaning, more] = short ? [short, key.meaning] : [key.meaning, ''];
    const value = (section ? says[section] : says)?.[name];
    const id = `recipe-${section}-${name}`;
    const about = h('small', { id: `${id}-about` }, !NUMBERS.includes(kind) ? more : `${words}${usual === null || usual === '' ? '' : `; usually ${usual}`}`);
    const common = { id, name: id, 'aria-describedby': `${id}-about`, onchange: (/** @type {Event} */ event) => set(key, /** @type {HTMLInputElement} */ (event.target).value) };
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return labelled(id, meaning, h('input', { id, disabled: true, value: 'hangs on a setting' }), h('small', null, 'To change it, look at the text.'));
    if (kind === 'choice' || kind === 'yes') {
      const offered = kind === 'yes' ? [['true', 'yes'], ['false', 'no']] : key.choices.map((one) => [one, one]);
      const nothing = usual === null ? '–' : `${kind === 'yes' ? (usual ? 'yes' : 'no') : usual} (usual)`;
      const all = [['', nothing], ...offered.filter(([one]) => one !== String(usual)), ...(kind === 'yes' ? settings.map((one) => [one, `the setting ${one}`]) : [])];
      return labelled(id, meaning, select(/** @type {[string, string][]} */ (all), asTyped(value) === String(usual) ? '' : asTyped(value), common), about);
    }
    const typing = kind === 'whole' && !settings.length ? { type: 'number', inputmode: 'numeric', min: key.low, max: key.high } : { type: 'text', autocomplete: 'off', maxlength: NUMBERS.includes(kind) ? null : key.high };
    return labelled(id, meaning, h('input', { ...common, ...typing, value: asTyped(value), placeholder: usual === null ? null : String(usual) }), about);
  }

  /** @param {[string, string, string]} step */
  function step([section, title, about]) {
    const keys = KEYS.filter((key) => key.section === section);
    const table = (section ? says[section] : says) ?? {};
    const near = (/** @type {RecipeKey} */ { name }) => name in table || MAIN.includes(section ? `${section}.${name}` : name);
    const more = keys.filter((key) => !near(key));
    return h('details', { class: 'step', open: OPEN.includes(section) && (!section || section in says) },
      h('summary', null, title),
      h('p', { class: 'small' }, about),
      keys.filter(near).map(field),
      more.length > 0 && h('details', null, h('summary', { 'aria-label': `More: ${title}` }, 'More'), more.map(field)),
    );
  }

  /** A setting, of which the usual value may be changed here. @param {string} name */
  function setting(name) {
    const { usual, from, to, meaning } = says['settings'][name] ?? {};
    if (typeof usual !== 'number') return null;
    const id = `recipe-setting-${name}`;
    const change = (/** @type {Event} */ event) => {
      const value = /** @type {HTMLInputElement} */ (event.target).value;
      if (/^\d+$/.test(value)) changed(text().replace(new RegExp(`^(\\s*${name}\\s*=\\s*\\{[^}\\n]*usual\\s*=\\s*)\\d+`, 'm'), `$1${Number(value)}`));
    };
    return labelled(id, meaning ?? name, h('input', { id, type: 'number', inputmode: 'numeric', min: from, max: to, value: usual, onchange: change }), h('small', null, `${from} to ${to}`));
  }

  return h('form', { class: 'recipe', onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
    STEPS.map(step),
    settings.length > 0 && h('details', { class: 'step', open: true }, h('summary', null, 'Settings'), h('p', { class: 'small' }, 'What players may change as house rules.'), settings.map(setting)),
  );
}
