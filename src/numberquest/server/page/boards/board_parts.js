// What several boards have in common.

import { h, mark } from '../parts/dom.js';
import { NAMES } from '../parts/words.js';

/** @import { Child, Props } from '../parts/dom.js' */
/** @import { About } from '../page.d.ts' */
/** @import { Option, Pair } from '../wire.d.ts' */

/** What a puzzle calls the one who solves it: then a verb has no s. */
export const YOU = 'You';

const ENDS = { wins: '★', loses: '✕', draws: '=' };

/** @param {About} about @returns {Pair<string>} */
export const named = (about) => about.names ?? NAMES;

/**
 * A button for one move. Where it is not allowed now it can still be reached, and says so, with `why` if it is pressed: the focus is
 * never lost.
 * @param {Option | undefined} option
 * @param {About} about
 * @param {Props} props
 * @param {...(Child | Child[])} children
 */
export function press(option, { play, sent, hinted, tell }, { why, ...props }, ...children) {
  const can = option && play;
  const gone = option && option.move === sent;
  const marked = option && option.move === hinted;
  return h(
    'button',
    {
      type: 'button',
      'aria-disabled': can ? null : 'true',
      onclick: can ? () => play(option.move) : play && why ? () => tell?.(String(why)) : null,
      ...props,
      'aria-label': marked && props['aria-label'] ? `${props['aria-label']}, the hint` : props['aria-label'],
      class: `${props['class']}${gone ? ' sent' : ''}${marked ? ' hinted' : ''}`,
      'aria-busy': gone ? 'true' : null,
    },
    ...children,
    // The name of the button says it in words.
    option?.ends && h('span', { class: `badge ${option.ends}`, 'aria-hidden': 'true' }, `${ENDS[option.ends]} ${option.ends}`),
  );
}

/** How the game ends with a move, for its words where its sign is not seen: `: that wins`. @param {Option} option */
export const so = ({ ends }) => (ends ? `: that ${ends}` : '');

/** What is added to a number that is too large. @param {number} number @param {number} target */
export const past = (number, target) => (number > target ? `, past ${target}` : '');

/**
 * Both scores on the way to the target, one above the line and one below.
 * @param {number} target
 * @param {Pair<number>} values
 * @param {About} about
 */
export function track(target, values, about) {
  const names = named(about);
  const step = [1, 5, 10, 20, 50, 100].find((each) => target / each <= (target < 100 ? 13 : 8)) ?? 200;
  const marks = [...Array(Math.ceil(target / step)).keys()]
    .map((n) => n * step)
    .filter((n) => target - n >= step * 0.6);
  return h(
    'div',
    {
      class: 'track',
      role: 'img',
      'aria-label': `On the way to ${target}: ${names[0]} ${values[0]}, ${names[1]} ${values[1]}`,
    },
    h('div', { class: 'rail' },
      [...marks, target].map((n) =>
        h('span', { class: n === target ? 'tick goal' : 'tick', vars: { '--at': n / target } }, n),
      ),
      values.map((value, at) =>
        h(
          'span',
          {
            class: `token p${at + 1}${value > target ? ' over' : ''}${about.turn === at + 1 ? ' turn' : ''}`,
            vars: { '--at': Math.max(0, Math.min(value / target, 1)) },
          },
          mark(at + 1),
          value,
        ),
      ),
    ),
  );
}

/**
 * Which numbers are left, and how often.
 * @param {string} label
 * @param {number[]} all
 * @param {number[]} left
 */
export function numbers(label, all, left) {
  return h('p', { class: 'left' },
    h('span', null, label),
    ...all.map((number) => {
      const count = left.filter((one) => one === number).length;
      // What is gone is struck out, and for who does not see that it is not there at all.
      const gone = { class: 'chip', 'aria-hidden': 'true' };
      return count ? h('span', { class: 'chip' }, number, count > 1 && h('small', null, `×${count}`)) : h('s', gone, number);
    }),
  );
}

/** 1 up to a number. @param {number} high */
export const upTo = (high) => [...Array(high).keys()].map((n) => n + 1);
