// How fair a rule set is, in words that help to choose one and do not tell how to win.

import { h } from './dom.js';
import { ALIKE, fixed } from './figures.js';
import * as keep from './keep.js';
import { ask } from './net.js';
import { typed } from './words.js';

/** @import { Settings } from '../page.d.ts' */
/** @import { Fairness } from '../wire.d.ts' */

/** A chance no farther than this from one half is called nearly fair. */
const NEARLY = 0.03;
/** As far as this, nobody would notice. */
const QUITE = 0.0005;

/** A chance as people count: `53 of 100`. @param {number} chance */
function ofHundred(chance) {
  const many = 100 * chance;
  if (many < 1) return 'fewer than 1 of 100';
  if (many > 99) return 'more than 99 of 100';
  return `${Math.abs(many - 50) < 1 && Math.abs(many - 50) > 0.04 ? fixed(many, 1) : fixed(many)} of 100`;
}

/** How fair it is under best play. @param {number | null} value Player 1's chance */
export function fairWords(value) {
  if (value === null) return 'Nobody has worked out who wins under these rules.';
  if (value > 1 - ALIKE || value < ALIKE) return `With best play Player ${value > 0.5 ? 1 : 2} always wins.`;
  if (Math.abs(value - 0.5) < QUITE) return 'Fair: with best play each wins 50 of 100 games.';
  const words = `With best play Player 1 wins ${ofHundred(value)} games`;
  return Math.abs(value - 0.5) < NEARLY ? `Nearly fair: ${words.charAt(0).toLowerCase()}${words.slice(1)}.` : `${words}.`;
}

/** And between people. @param {Fairness} fairness */
export function peopleWords({ people, length }) {
  if (people === null) return '';
  const fair = Math.abs(people - 0.5) < NEARLY ? ', which is nearly fair' : '';
  const long = length === null ? '' : ` A game takes about ${Math.max(1, Number(fixed(length)))} moves.`;
  return `Between two who err at times Player 1 wins ${ofHundred(people)}${fair}.${long}`;
}

/**
 * A line that says how fair the chosen rules are, and a way to say it anew when they change.
 * @param {string} game
 * @param {() => Settings | null} chosen null while something typed cannot be
 */
export function fairLine(game, chosen) {
  const line = h('div', { class: 'fair small' });
  let last = '';
  const renew = async () => {
    const settings = chosen();
    if (!settings) return;
    const wish = new URLSearchParams({ game, settings: typed(settings) });
    const now = (last = String(wish));
    const found = /** @type {Fairness | null} */ (await ask(`fairness?${wish}`).catch(() => null));
    // Whoever has changed the rules meanwhile is told about those.
    if (now !== last) return;
    // Who wins for certain is told to those who ask: it would spoil the game for the others.
    const open = line.querySelector('details')?.open ?? keep.get('proved', false);
    if (found) line.replaceChildren(h('output', null, peopleWords(found)), h('details', { open }, h('summary', null, 'Who wins with best play?'),
      h('p', null, h('b', null, fairWords(found.value)), ' ', h('a', { href: `atlas#${wish}`, onclick: () => line.closest('dialog')?.close() }, 'All rules on a map'))));
    else line.replaceChildren();
  };
  return { line, renew };
}
