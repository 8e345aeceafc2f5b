// Pictures of chances: the line over a whole game, what each move is worth, and where the result came from.

import { h, mark, svg } from './dom.js';
import { ALIKE, change, perCent, whole } from './figures.js';
import { plainly } from './words.js';

/** @import { ChanceKind, Review, ReviewStep, Worth } from '../wire.d.ts' */

/** Every point has a column of its own, at least so many pixels wide: enough for a finger. */
const COLUMN = 26;
const TALL = 140;
const EDGE = 24;
/** Of many moves that are worth the same, so many are shown at once. */
const MOST = 12;

/** The sign of each verdict, and how it is coloured. @type {Record<string, [string, string]>} */
const VERDICTS = {
  'win kept': ['✓', 'good'], best: ['✓', 'good'], 'only move': ['→', ''], 'all alike': ['=', ''],
  'still lost': ['·', ''], 'small slip': ['~', ''], mistake: ['!', 'bad'], blunder: ['‼', 'bad'],
  'win thrown away': ['✗', 'bad'], 'draw kept': ['✓', 'good'], 'draw thrown away': ['✗', 'bad'],
};
const signOf = (/** @type {string | null} */ verdict) => VERDICTS[verdict ?? ''] ?? ['·', ''];

/** @param {string | null} verdict */
export function verdictMark(verdict) {
  const [sign, kind] = signOf(verdict);
  return h('span', { class: `verdict ${kind}` }, h('b', { 'aria-hidden': 'true' }, sign), plainly(verdict ?? ''));
}

/** Whether a value is a draw. @param {number} value */
export const even = (value) => Math.abs(value - 0.5) < ALIKE;

/**
 * Whether nothing is open: every move wins for sure, loses for sure, or, without chance, draws for sure.
 * @param {Worth[]} worths
 * @param {ChanceKind} chance
 */
export const certain = (worths, chance) => worths.every(({ value }) => value < ALIKE || value > 1 - ALIKE || (!chance && even(value)));

/** @param {number} from @param {number} to */
const bar = (from, to) => h('span', { class: 'gauge', 'aria-hidden': 'true' },
  h('i', { vars: { '--from': Math.min(from, to), '--wide': Math.abs(to - from) } }));

/**
 * Every move with what it is worth, best first; moves that are worth the same share a bar.
 * @param {Worth[]} worths
 * @param {Record<string, string>} noted what to say beside certain moves
 * @param {(move: string) => string} written
 * @param {ChanceKind} chance
 * @param {(move: string) => void} [choose] where moves that were not made can be tried
 */
export function worthBars(worths, noted, written, chance, choose) {
  /** @type {{ value: number, moves: string[] }[]} */
  const groups = [];
  for (const { move, value } of worths) {
    const last = groups.at(-1);
    if (last && Math.abs(last.value - value) < ALIKE) last.moves.push(move);
    else groups.push({ value, moves: [move] });
  }
  const [sure, broad] = [certain(worths, chance), groups.some(({ moves }) => moves.length > 2)];
  const chips = (/** @type {string[]} */ moves) => h('ul', { class: 'chips' }, moves.map((move) => (choose && !noted[move]
    ? h('li', null, h('button', { class: 'chip', onclick: () => choose(move) }, written(move)))
    : h('li', { class: noted[move] ? 'chip noted' : 'chip' }, written(move), noted[move] && h('small', null, ` ${noted[move]}`)))));
  const worth = (/** @type {number} */ value) => (!sure ? perCent(value) : value > 1 - ALIKE ? '✓ wins' : value < ALIKE ? '✗ loses' : '= draws');
  return h('ul', { class: 'worths' }, groups.map(({ value, moves }, at) => {
    // Whole figures can be the same where one move is better by a little.
    const alike = at > 0 && worth(groups[at - 1]?.value ?? 0) === worth(value);
    const [first, rest] = [moves.filter((move) => noted[move]), moves.filter((move) => !noted[move])];
    first.push(...rest.splice(0, rest.length > MOST + 2 ? MOST : rest.length));
    return h('li', { class: [value === worths[0]?.value && value > ALIKE && 'ahead', broad && 'many'].filter(Boolean).join(' ') },
      h('div', { class: 'bar' }, bar(0, value), h('strong', null, alike ? 'a bit less' : worth(value))),
      chips(first),
      rest.length > 0 && h('details', null, h('summary', null, `and ${rest.length} more`), chips(rest)));
  }));
}

/** How the chance at the start became that at the end, one bar for each cause. @param {Review} review */
export function waterfall({ names, outcome, ...review }) {
  // What is shown must add up: the rounding goes to luck.
  const [start, end, one, two] = [review.start, review.end, ...review.given_away].map((chance) => whole(chance) / 100);
  let at = start;
  const causes = /** @type {[number, string, number][]} */ ([
    [1, `${names[0]}’s mistakes`, -one], [2, `${names[1]}’s mistakes`, two], [0, review.mixing ? 'Luck, and how the secret choices met' : 'Luck', end - start + one - two],
  ]).map(([player, words, by]) => ({ player, words, from: at, to: (at += by), said: change(by) || 'nothing' }));
  const rows = [
    { player: 3, words: `${names[0]}’s chance at the start`, from: start, to: start, said: perCent(start) }, ...causes,
    { player: 3, words: outcome ? 'At the end' : 'Now', from: end, to: end, said: perCent(end) },
  ];
  // Mistakes that cancel each other out can lead past both ends on the way.
  const low = Math.min(0, ...rows.map(({ to }) => to));
  const place = (/** @type {number} */ chance) => (chance - low) / (Math.max(1, ...rows.map(({ to }) => to)) - low);
  return h('div', { class: 'waterfall', vars: { '--zero': place(0), '--one': place(1) } },
    h('p', { class: 'axis', 'aria-hidden': 'true' }, h('span', null, '0 %'), h('span', null, '100 %')),
    h('dl', null, rows.map(({ player, words, from, to, said }) => h('div', { class: `p${player}` },
      h('dt', null, player < 3 && mark(player), words),
      h('dd', { class: 'bar' }, bar(place(from), place(to)), h('strong', null, said))))));
}

/**
 * Player 1's chance over the whole game: one slider for the keyboard, and for each step a column to click.
 * @param {Review} review
 * @param {(step: number) => string} words what a step is called; 0 is the start
 * @param {(step: number) => void} choose
 */
export function chanceChart({ steps, names, start, mixing }, words, choose) {
  const chances = [start, ...steps.map(({ after }) => after)];
  const title = `${names[0]}’s chance to win${mixing ? ' with all secrets open' : ''}`;
  const plot = h('div', { class: 'plot', role: 'slider', tabindex: '0', 'aria-label': `Step of the game. The line shows ${title}`,
    'aria-valuemin': '0', 'aria-valuemax': steps.length, 'aria-valuenow': '0' });
  const scroller = h('div', { class: 'scroller' }, plot);
  let [current, column] = [0, COLUMN];
  const across = (/** @type {number} */ step) => EDGE + step * column;
  const up = (/** @type {number} */ chance) => EDGE + (TALL - 2 * EDGE) * (1 - chance);
  const draw = () => {
    const wide = Math.max(scroller.clientWidth, 2 * EDGE + steps.length * COLUMN);
    column = (wide - 2 * EDGE) / Math.max(1, steps.length);
    const line = chances.map((chance, step) => `${across(step)},${up(chance)}`).join(' ');
    const area = `${across(0)},${up(0.5)} ${line} ${across(steps.length)},${up(0.5)}`;
    const [x, y] = [across(current), up(chances[current] ?? start)];
    plot.replaceChildren(svg('svg', { width: wide, height: TALL, 'aria-hidden': 'true' },
      [1, 2].map((seat) => svg('clipPath', { id: `half${seat}` }, svg('rect', { y: (seat - 1) * TALL / 2, width: wide, height: TALL / 2 }))),
      [0, 0.5, 1].map((share) => svg('path', { class: 'ruler', d: `M0 ${up(share)}H${wide}` })),
      [1, 2].map((seat) => svg('polygon', { class: `area p${seat}`, points: area, 'clip-path': `url(#half${seat})` })),
      svg('path', { class: 'cursor', d: `M${x} 0V${TALL}` }),
      svg('polyline', { points: line }),
      svg('circle', { class: 'halo', cx: x, cy: y, r: 12 }),
      steps.map((step, at) => dot(step, across(at + 1), up(step.after)))));
  };
  plot.onclick = (event) => {
    const step = Math.round((event.clientX - plot.getBoundingClientRect().left - EDGE) / column);
    choose(Math.max(0, Math.min(steps.length, step)));
  };
  new ResizeObserver(draw).observe(scroller);
  const flaws = new Set(steps.filter(({ mistake }) => mistake).map(({ verdict }) => signOf(verdict)[0]));
  const key = [[1, names[0]], [2, names[1]], ...(steps.some(({ reveal }) => reveal) ? [[0, 'a number comes up']] : [])];
  const element = h('figure', { class: 'chances' },
    h('figcaption', null, title),
    h('div', { class: 'frame' }, h('div', { class: 'scale', 'aria-hidden': 'true' }, ['100 %', '50 %', '0 %'].map((text) => h('span', null, text))), scroller),
    h('ul', { class: 'key' }, key.map(([player, text]) => h('li', null, mark(Number(player)), text)),
      flaws.size > 0 && h('li', null, h('span', { class: 'flaw', 'aria-hidden': 'true' }, [...flaws].join(' ')), 'mistake')));
  const table = h('details', { class: 'chances' }, h('summary', null, 'Show as table'), h('table', null,
    h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'Step'), h('th', { scope: 'col' }, title))),
    h('tbody', null, chances.map((chance, step) => h('tr', null, h('th', { scope: 'row' }, words(step)), h('td', null, perCent(chance)))))));
  const select = (/** @type {number} */ step) => {
    current = step;
    plot.setAttribute('aria-valuenow', String(step));
    plot.setAttribute('aria-valuetext', `${words(step)}: ${perCent(chances[step] ?? 0)}`);
    draw();
    scroller.scrollLeft = across(step) - scroller.clientWidth / 2;
  };
  return { element, table, select };
}

/**
 * The shape of a step, with the sign of a mistake beside it.
 * @param {ReviewStep} step
 * @param {number} x
 * @param {number} y
 */
function dot({ player, reveal, before, after, mistake, verdict }, x, y) {
  const d = reveal ? 'm-4-4h8v8h-8z' : player === 1 ? 'm-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0' : 'm0-8l8 8l-8 8l-8-8z';
  return svg('g', null, svg('path', { class: `dot p${reveal ? 0 : player}`, d: `M${x} ${y}${d}` }),
    mistake && svg('text', { class: 'flaw', x, y: after < before ? y + 22 : y - 11 }, signOf(verdict)[0]));
}
