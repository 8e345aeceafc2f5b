// What a rule set is like, as rows of figures, each with its bar.

import { h, sentence } from './dom.js';
import { fixed } from './figures.js';

/** @import { LadderStep, Measured } from '../wire.d.ts' */

/** What is shown together. */
export const GROUPS = /** @type {const} */ ([
  ['How fair is it?', ['value', 'draw', 'advantage', 'pie', 'head_start', 'head_start_leaves']],
  ['How much is luck?', ['luck', 'skill']],
  ['How exciting is it?', ['lead_changes', 'behind', 'drama', 'decided']],
  ['How long is it, and what is there to choose?', ['length', 'length_spread', 'branching', 'decisions', 'mattered', 'stake', 'blind']],
]);
/** @type {Record<string, string>} */
export const LABELS = {
  value: 'Player 1’s share', draw: 'Draws', advantage: 'Advantage of Player 1', pie: 'The same with the pie rule',
  head_start: 'Fairest head start', head_start_leaves: 'Advantage then', luck: 'Luck', skill: 'Skill',
  lead_changes: 'Changes of the lead', behind: 'The winner was behind', drama: 'How far behind', decided: 'When it was settled',
  length: 'Moves in a game', length_spread: 'Give or take', branching: 'Moves to choose from', decisions: 'Real choices',
  mattered: 'Choices that mattered', stake: 'The worst move costs', blind: 'A blind move costs', gain: 'perfect over random',
};
/** These are counted; the others are parts of a whole. */
const COUNTED = ['head_start', 'lead_changes', 'length', 'length_spread', 'branching', 'decisions', 'mattered'];
/** These can be below 0. */
const SIGNED = ['advantage', 'pie', 'head_start', 'head_start_leaves'];
/** @param {number} value @param {number} digits */
const rounded = (value, digits) => fixed(Math.abs(value) < 0.5 / 10 ** digits ? 0 : value, digits).replace('-', '−');
/** @param {string} name @param {number} value */
export function figure(name, value) {
  const counted = COUNTED.includes(name);
  const text = counted ? rounded(value, name === 'head_start' ? 0 : 1) : `${rounded(100 * value, 1)} %`;
  return SIGNED.includes(name) && value > 0 && !/^0\b(?!\.[1-9])/.test(text) ? `+${text}` : text;
}

/** A part of a whole; what can be below 0 begins in the middle. Whose it is has that player's colour. @param {string} name @param {number} value */
function gauge(name, value) {
  const signed = SIGNED.includes(name);
  const whose = name === 'value' ? 'one' : signed ? (value > 0 ? 'one' : 'two') : '';
  const from = signed ? 0.5 + Math.min(value, 0) / 2 : 0;
  return h('span', { class: `bar ${whose} ${signed ? 'signed' : ''}`, 'aria-hidden': 'true' },
    h('i', { vars: { '--from': from, '--wide': Math.abs(signed ? value / 2 : value) } }));
}

/** A measure; with that of other rules beside it, A and B. @param {Measured} one @param {Measured} [other] */
export function row(one, other) {
  const { name, meaning, value, why } = one;
  const part = (/** @type {string} */ mark, /** @type {number | null} */ known) => [
    h('b', { class: 'figure' }, mark, known === null ? '–' : figure(name, known)),
    known !== null && !COUNTED.includes(name) && gauge(name, known)];
  return h('li', { class: value === null ? 'unknown' : null },
    h('h3', null, LABELS[name] ?? name),
    ...(other ? [part('A: ', other.value), h('span'), part('B: ', value)].flat() : part('', value)),
    (why || meaning) && h('p', { class: 'small' }, value === null && why ? `Cannot be told: ${why}.` : sentence(meaning)),
  );
}

/** Who wins, as one bar for both. @param {number} share @param {number} draw */
export function scales(share, draw) {
  const [one, two] = [share - draw / 2, 1 - share - draw / 2];
  const part = (/** @type {string} */ kind, /** @type {number} */ size, /** @type {string} */ words) =>
    size > 0 && h('span', { class: kind, vars: { '--size': size } }, size > 0.12 ? words : '');
  const words = [`Player 1 wins ${figure('', one)}`, draw ? `draws ${figure('', draw)}` : '', `Player 2 wins ${figure('', two)}`];
  return h('figure', { class: 'scales' },
    h('figcaption', null, words.filter(Boolean).join(', ')),
    h('div', { 'aria-hidden': 'true' }, part('one', one, '● 1'), part('none', draw, '='), part('two', two, '◆ 2')),
  );
}

/** @param {LadderStep[]} steps @param {Measured | undefined} gain */
export function ladder(steps, gain) {
  if (!steps.length) return null;
  const whole = gain?.value ?? null;
  const all = [...steps, ...(whole === null ? [] : [{ better: 'perfect', worse: 'random', gain: whole }])];
  return h('section', { class: 'sheet' },
    h('h2', null, 'What does a better player gain?'),
    h('p', { class: 'small' }, 'How much more often the better one wins, when both sit in each seat equally often. It does not depend on who plays above.'),
    h('ul', { class: 'measures ladder' }, all.map(({ better, worse, gain: by }) =>
      h('li', null, h('h3', null, `${better} over ${worse}`), h('b', { class: 'figure' }, figure('gain', by)), gauge('gain', Math.max(by, 0))))),
  );
}
