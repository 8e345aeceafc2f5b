// The end of a day's puzzle: how it went, in signs that give nothing away, to be handed on.

import { h } from './dom.js';
import { copied, outside } from './links.js';
import { on, signs, streak } from './streak.js';

/**
 * @param {string} today
 * @param {string} title of the game
 * @param {boolean} fresh whether it has just been finished
 */
export function result(today, title, fresh) {
  const [how, row, marks] = [on(today)?.how, streak(), signs(today)];
  const words = how === 'first' ? 'All three at the first try!' : how === 'later' ? 'All three found!' : 'That was today’s puzzle.';
  const text = [`Number Quest ${today} · ${title}`, row > 1 ? `${marks} ★ ${row} days in a row` : marks, outside('puzzle')].join('\n');
  const field = h('textarea', { readonly: true, rows: 4, 'aria-label': 'Your result' });
  field.value = text;
  const status = h('p', { role: 'status' });
  const copy = async () => (status.textContent = (await copied(text, field)) ? '✓ Your result is copied.' : 'Copy the text that is marked now.');
  const share = () => void navigator.share({ text }).catch(() => undefined);
  const found = how !== 'shown';
  return h('div', { class: 'finish' },
    fresh && found && h('div', { class: 'confetti', 'aria-hidden': 'true' }, [...'1+7×3−9÷5+2×8=4★6'].map((sign, at) => h('i', { vars: { '--n': at } }, sign))),
    h('p', null, h('strong', null, words)),
    field,
    h('p', { class: 'row' }, h('button', { class: 'go', onclick: copy }, 'Copy your result'), 'share' in navigator && h('button', { class: 'button', onclick: share }, 'Share')),
    status);
}
