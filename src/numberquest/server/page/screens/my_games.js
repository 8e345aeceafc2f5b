// The games of this browser: how they ended, how well they were played, and a file to take them along.

import { HOST } from '../host.js';
import { confirm, download, h, morph, row, svg } from '../parts/dom.js';
import { fitting } from '../parts/fields.js';
import { fixed } from '../parts/figures.js';
import * as keep from '../parts/keep.js';
import { ask, Trouble } from '../parts/net.js';
import { DAYS } from '../parts/streak.js';
import { anyGame, many } from '../parts/words.js';

/** @import { Context } from '../page.d.ts' */
/** @import { Seen } from '../parts/keep.js' */
/** @import { Games, Review, StarRule } from '../wire.d.ts' */

/** So many games are listed at once; the rest when it is wanted. */
const FEW = 10;
/** Of so many games that nobody has reviewed yet the key moments are asked for, one after the other. */
const ASKED = 8;

/** Every match that one has sat in, the newest first. */
const played = () => keep.matches().filter(([, one]) => one.title).sort((a, b) => when(b[1]) - when(a[1]));
/** @param {Seen} one */
const when = (one) => one.ended ?? one.at ?? 0;
/** @param {Seen} one */
const date = (one) => new Date(when(one)).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
/** @param {Seen} one */
const won = (one) => !!one.seat && one.winner === one.seat;

/** How it ended, in a sign and words. @param {Seen} one */
function result(one) {
  if (!one.over) return '… goes on';
  if (one.winner === undefined) return one.gone ? 'no longer kept' : 'over';
  if (one.winner === null) return '= drawn';
  if (!one.seat) return `${one.names?.[one.winner - 1] ?? ''} won`;
  return won(one) ? '✓ won' : '✗ lost';
}

/** The last ones, for the front page. */
export function recent() {
  const last = played().filter(([, one]) => one.over && !one.gone);
  return h('section', { class: 'open' }, h('h2', null, 'Your last games'),
    h('ul', null, last.slice(0, 3).map(([id, one]) => h('li', null, h('a', { class: 'button', href: `review#match=${id}` }, h('b', null, one.title), ` ${one.against} · ${result(one)}`))),
      h('li', null, h('a', { class: 'button', href: 'review' }, 'All my games'))));
}

/** All of them. @param {Context} context */
export function myGames(context) {
  let most = FEW;
  /** @type {Games | null} */
  let games = null;
  /** @type {HTMLElement} */
  let shown = h('section');
  const draw = () => (shown = morph(shown, whole()));

  function whole() {
    const all = played();
    return h('section', { class: 'sheet mine', 'aria-label': 'My games' }, h('h2', { tabindex: '-1' }, 'My games'),
      all.length ? [list(all), all.length > most && h('button', { class: 'button', onclick: () => ((most = Infinity), draw()) }, `Show all ${all.length}`), stars(all.map(([, one]) => one), games), ...figures(all.map(([, one]) => one))]
        : h('p', null, 'Games that you play in this browser are listed here, also those against the computer and at one screen.'),
      taken());
  }

  /** @param {[string, Seen][]} all */
  function list(all) {
    return h('ul', { class: 'played' }, all.slice(0, most).map(([id, one]) => {
      const words = `${one.title} ${one.against}`;
      return h('li', { 'data-id': id }, h(one.gone ? 'span' : 'a', { href: one.gone ? null : one.over ? `review#match=${id}` : `m/${id}` }, h('b', null, one.title), ` ${one.against}`),
        h('span', { class: one.over && won(one) ? 'won' : null }, result(one)),
        h('small', null, [date(one), one.gone && one.winner !== undefined && 'no longer kept', one.practice && 'practice', one.key?.[1] && `key moments: ${one.key.join(' of ')}`].filter(Boolean).join(' · ')),
        h('button', { class: 'quiet', 'aria-label': `Remove: ${words}, ${date(one)}`, title: 'Remove', onclick: () => remove([id], one.over ? '' : `${words} goes on: without it here, you cannot get back to your seat.`) }, '✕'));
    }));
  }

  /** @param {string[]} ids @param {string} warning what to say first */
  function remove(ids, warning) {
    const gone = () => (ids.forEach(keep.remove), draw(), shown.querySelector('h2')?.focus(), context.say('Removed.'));
    if (!warning) return gone();
    return confirm('Remove?', warning, ['Yes, remove', gone], 'No');
  }

  /** Export, import, and a clean table. */
  function taken() {
    const file = h('input', { type: 'file', id: 'mine', class: 'unseen', accept: '.json,application/json', onchange: async (/** @type {Event} */ event) => {
      const chosen = /** @type {HTMLInputElement} */ (event.target);
      const [words, good] = await readFile(chosen.files?.[0]);
      // The same file can be chosen again.
      chosen.value = '';
      if (good) draw();
      context.tell(words);
    } });
    const over = played().filter(([, one]) => one.over).map(([id]) => id);
    return h('div', null, row(h('button', { class: 'button', onclick: writeFile }, 'Save as a file'), file, h('label', { class: 'button', for: 'mine' }, 'Read a file'),
      over.length > 0 && h('button', { class: 'button', onclick: () => remove(over, `${many(over.length, 'finished game')} will be forgotten here.`) }, 'Remove finished games')),
      h('p', { class: 'small' }, `All this is kept in this browser alone. ${HOST?.alone ? 'The file has this list and its stars; the games themselves stay here.' : 'Keep the file to yourself: whoever has it can play on in your open games.'}`));
  }

  draw();
  context.games(true).then((all) => ((games = all), draw()), () => undefined);
  void keyMoments(draw);
  return shown;
}

/** Ask how well games were played that nobody has looked at again yet. @param {() => void} draw */
async function keyMoments(draw) {
  const open = played().filter(([, one]) => one.over && one.seat && !one.practice && one.winner !== undefined && one.key === undefined);
  for (const [id, { seat = 1 }] of open.slice(0, ASKED)) {
    try {
      const { key_moments } = /** @type {Review} */ (await ask(`matches/${id}/review`));
      keep.note(id, { key: key_moments[seat - 1] });
    } catch (error) {
      // What cannot be said is not asked again; a server that has much to do is left alone.
      if (!(error instanceof Trouble) || !['too-large', 'not-found'].includes(error.code)) return;
      keep.note(id, { key: null, ...(error.code === 'not-found' && { gone: true }) });
    }
    draw();
  }
}

/** Whether a game is a step towards the star of its level. @param {Seen} one @param {StarRule} rule */
export const counts = (one, { seats, held }) =>
  !!one.over && !one.practice && !one.house && !one.hinted && !!one.seat && seats.includes(one.seat)
  && (won(one) || (one.winner === null && one.level === held));

/** The stars of every game that was played against the computer, level by level. @param {Seen[]} all @param {Games | null} games */
function stars(all, games) {
  const rows = (games?.games ?? []).flatMap(({ game, short_title, stars: rule }) => {
    const mine = all.filter((one) => one.game === game && games?.levels.some(({ name }) => name === one.level));
    if (!rule || !mine.length) return [];
    const steps = games?.levels.map(({ name }) => /** @type {const} */ ([name, mine.filter((one) => one.level === name && counts(one, rule)).length])) ?? [];
    return [h('div', null, h('b', null, short_title), ' ', steps.map(([name, done]) => h('span', { class: done < rule.wins ? 'chip' : 'chip won' }, done < rule.wins ? `${name}: ${done} of ${rule.wins}` : `★ ${name}`)),
      h('small', null, rule.said.map(anyGame.say).join(' ')))];
  });
  return rows.length > 0 && h('section', { 'aria-label': 'Stars' }, h('h3', null, 'Stars'), h('div', { class: 'ladder' }, rows));
}

/** Results by game and opponent, and key moments over time. @param {Seen[]} all */
function figures(all) {
  const counted = all.filter((one) => one.over && one.seat && !one.practice && one.winner !== undefined);
  /** @type {Map<string, Seen[]>} */
  const groups = new Map();
  for (const one of counted) {
    const key = JSON.stringify([one.title, one.level === 'friend' ? 'a friend' : `computer, ${one.level}`]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const keys = (/** @type {Seen[]} */ some) => some.flatMap(({ key }) => (key?.[1] ? [key] : []));
  const together = (/** @type {Seen[]} */ some) => {
    const [found, of] = keys(some).reduce(([one, all], [right, each]) => [one + right, all + each], [0, 0]);
    return of ? `${found} of ${of}` : '–';
  };
  const known = keys(counted).reverse();
  return [
    groups.size > 0 && h('h3', null, 'Results'),
    groups.size > 0 && h('div', { class: 'scroller', tabindex: '0', role: 'region', 'aria-label': 'Results' }, h('table', null,
      h('thead', null, h('tr', null, ['Game', 'Against', 'Played', 'Won', 'Key moments found'].map((text) => h('th', { scope: 'col' }, text)))),
      h('tbody', null, [...groups].sort().map(([key, some]) => {
        const [title, against] = JSON.parse(key);
        return h('tr', null, h('th', { scope: 'row' }, title), [against, some.length, some.filter(won).length, together(some)].map((text) => h('td', null, text)));
      })))),
    known.length > 1 && h('h3', null, 'Key moments over time'),
    known.length > 1 && curve(known.map(([found, of]) => (100 * found) / of), `Key moments found in your last ${known.length} games, the oldest first: ${known.map((one) => one.join(' of ')).join(', ')}. All together ${together(counted)}.`),
    known.length > 0 && h('p', { class: 'small' }, 'A key moment is a choice in which at least half of the moves would have been a mistake.'),
  ];
}

/** @param {number[]} values 0 to 100 @param {string} words */
function curve(values, words) {
  const [across, up] = [(/** @type {number} */ at) => 4 + (292 * at) / (values.length - 1), (/** @type {number} */ value) => 64 - 0.6 * value];
  return h('figure', { class: 'curve' },
    svg('svg', { viewBox: '0 0 300 68', role: 'img', 'aria-label': words }, svg('path', { class: 'ruler', d: 'M0 4H300M0 34H300M0 64H300' }),
      svg('polyline', { points: values.map((value, at) => `${across(at)},${up(value)}`).join(' ') }),
      values.map((value, at) => svg('circle', { cx: across(at), cy: up(value), r: 3 }))),
    h('figcaption', { class: 'small', 'aria-hidden': 'true' }, `The top is all of them. From ${fixed(values[0] ?? 0)} to ${fixed(values.at(-1) ?? 0)} of 100 in ${values.length} games.`));
}

// ---- what this browser remembers, as one file: to keep it, or to take it to another browser

const KIND = 'number-quest-games';
/** No such file is longer, in bytes. */
const LONGEST = 2_000_000;

const text = (/** @type {unknown} */ value) => typeof value === 'string' && value.length <= 200;
/** The name of a game may be all of its recipe. @param {unknown} value */
const name = (value) => typeof value === 'string' && value.length <= 4000;
const seat = (/** @type {unknown} */ value) => value === 1 || value === 2;
const number = (/** @type {unknown} */ value) => typeof value === 'number' && Number.isFinite(value);
const flag = (/** @type {unknown} */ value) => typeof value === 'boolean';
/** What may be remembered of a match, and what it looks like: a file can be anybody's. @type {Record<keyof Seen, (value: any) => boolean>} */
const FIELDS = {
  token: (value) => text(value) && /^[\w-]{32,64}$/.test(value),
  invite: (value) => text(value) && /^[\w-]{32,64}$/.test(value),
  commitment: text, title: text, against: text, level: text, game: name, over: flag, house: flag, hinted: flag, here: flag, gone: flag, practice: flag, seat, at: number, ended: number,
  winner: (value) => value === null || seat(value),
  key: (value) => value === null || (Array.isArray(value) && value.length === 2 && value.every((one) => Number.isInteger(one) && one >= 0) && value[0] <= value[1]),
  names: (value) => Array.isArray(value) && value.length === 2 && value.every(text),
  seals: (value) => !!value && typeof value === 'object' && Object.values(value).every(text),
};

/** Hand the file to whoever sits here. */
function writeFile() {
  const kept = { kind: KIND, version: 1, name: keep.get('name', ''), days: keep.get(DAYS, {}), matches: Object.fromEntries(keep.matches()) };
  download(`${KIND}.json`, JSON.stringify(kept, null, 1), 'application/json');
}

/**
 * Take in such a file; what is here already stays as it is. Answers what to say, and whether it was one.
 * @param {File | undefined} file
 * @returns {Promise<[string, boolean]>}
 */
async function readFile(file) {
  if (!file) return ['', false];
  const no = `${file.name} is not a file of games that was saved here. Nothing is changed.`;
  if (file.size > LONGEST) return [no, false];
  let kept;
  try {
    kept = JSON.parse(await file.text());
  } catch {
    return [no, false];
  }
  if (kept?.kind !== KIND || typeof kept.matches !== 'object' || !kept.matches) return [no, false];
  if (!keep.get('name', '') && text(kept.name)) keep.set('name', fitting(kept.name));
  const days = Object.entries(kept.days ?? {}).filter(([date, one]) => /^\d{4}-\d\d-\d\d$/.test(date) && isDay(one));
  keep.set(DAYS, { ...Object.fromEntries(days), ...keep.get(DAYS, {}) });
  let added = 0;
  for (const [id, seen] of Object.entries(kept.matches)) {
    if (!/^[\w-]{12,32}$/.test(id) || typeof seen !== 'object' || !seen || keep.match(id).token) continue;
    const fields = Object.entries(FIELDS).filter(([name, fits]) => fits(seen[name])).map(([name]) => [name, seen[name]]);
    if (!fields.length) continue;
    keep.note(id, { ...Object.fromEntries(fields), ...keep.match(id) });
    added += 1;
  }
  return [`${added} ${added === 1 ? 'game was' : 'games were'} read from ${file.name}.`, true];
}

/** @param {any} one */
const isDay = (one) => ['first', 'later', 'shown', 'trying'].includes(one?.how)
  && (one.steps === undefined || (Array.isArray(one.steps) && one.steps.length <= 3 && one.steps.every((/** @type {any} */ step) => step === null || (text(step?.move) && text(step.how)))));
