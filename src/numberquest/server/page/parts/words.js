// What is told, in words: sentences from the common table, endings from the game's, moves as its board writes them.

import { sentence } from './dom.js';
import { ALIKE, fixed, inPoints, perCent, percent } from './figures.js';
import { SENTENCES, SIGNS } from '../sentences.js';

/** @import { BoardModule, Ended, Settings, Shown } from '../page.d.ts' */
/** @import { GameInfo, Line, Pair, ReviewStep, Said, Setting, SettingInfo, State } from '../wire.d.ts' */

/** So many moves are named one by one. */
const MOST_NAMED = 3;

/** The words of a code that has nothing to fill in. @param {string} code */
export const plainly = (code) => SENTENCES[code] ?? code;
/** How much luck is in a game, in words. @param {number} luck from 0 to 1 */
export const luckWords = (luck) => plainly(`game-luck-${luck < ALIKE ? 0 : luck > 1 - ALIKE ? 4 : luck < 0.35 ? 1 : luck < 0.75 ? 2 : 3}`);
/** An operation as people write it. @param {string} typed */
export const sign = (typed) => SIGNS[typed] ?? typed;
/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
/** @param {number} count @param {string} thing */
export const many = (count, thing) => `${count} ${thing}${count === 1 ? '' : 's'}`;
/** Settings as they are typed: `target=30 copies=1`. @param {Settings} settings */
export const typed = (settings) => Object.entries(settings).map(([name, one]) => `${name}=${plain(one)}`).join(' ');
/** @param {unknown} value */
export const plain = (value) => (typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value));

/** A refused value as Python writes it, short and with no control characters. @param {unknown} value */
function quoted(value) {
  const mark = String(value).includes("'") && !String(value).includes('"') ? '"' : "'";
  const letter = (/** @type {string} */ one) => {
    const [named, code] = [/** @type {Record<string, string>} */ ({ '\n': 'n', '\r': 'r', '\t': 't' })[one], one.codePointAt(0) ?? 0];
    if (one === mark || one === '\\' || named) return `\\${named ?? one}`;
    if (one === ' ' || !/[\p{C}\p{Z}]/u.test(one)) return one;
    const [kind, wide] = code < 0x100 ? ['x', 2] : code < 0x10000 ? ['u', 4] : ['U', 8];
    return `\\${kind}${code.toString(16).padStart(wide, '0')}`;
  };
  const text = typeof value === 'string' ? `${mark}${[...value].map(letter).join('')}${mark}` : String(value);
  return [...text].length <= 40 ? text : `${[...text].slice(0, 40).join('')}…`;
}

/** What stands between several moves; those with a comma of their own need something else. @param {string[]} names @param {string} tight */
const between = (names, tight) =>
  names.some((one) => one.includes(', ')) ? ' · ' : names.some((one) => one.includes(',')) ? tight : ', ';

/** Whether two moves differ only in that their last number is one higher. @param {string} move @param {string} next */
function follows(move, next) {
  // A cell is a place, not a number.
  const [one, two] = [move, next].map((text) => /^([^,]*?)(\d+)$/.exec(text));
  return !!one && !!two && one[1] === two[1] && Number(one[2]) + 1 === Number(two[2]);
}

/** The moves, those together of which each is one higher than the one before. @param {string[]} moves */
function runsOf(moves) {
  /** @type {string[][]} */
  const runs = [];
  for (const move of moves) {
    const last = runs.at(-1);
    if (last && follows(last.at(-1) ?? '', move)) last.push(move);
    else runs.push([move]);
  }
  return runs;
}

/** The moves on one line, with runs of numbers shortened: `1 to 9`. @param {string[]} moves @param {(move: string) => string} written */
export function inShort(moves, written) {
  const texts = runsOf(moves).flatMap((run) => {
    const names = run.map(written);
    return names.length > 2 ? [`${names[0]} to ${names.at(-1)}`] : names;
  });
  return texts.join(between(texts, ' '));
}

/** Some moves as a choice: `1 or 6`, `2, 3, 5 or 4 others`. @param {string[]} moves @param {(move: string) => string} written */
export function either(moves, written) {
  let names = moves.map(written);
  if (names.length > MOST_NAMED) {
    // Numbers in a row are short however many they are.
    const short = inShort(moves, written);
    if (short.length <= 20 && runsOf(moves).some((run) => run.length > 2)) return short;
    names = [...names.slice(0, MOST_NAMED), `${moves.length - MOST_NAMED} others`];
  }
  const last = names.pop();
  return names.length ? `${names.join(between(names, ' or '))} or ${last}` : (last ?? '');
}

/** Moves with their odds: `2 of 3 times 1, else 3`. @param {[string, number, number][]} parts @param {(move: string) => string} written */
export function mix(parts, written) {
  const last = parts.length - 1;
  return parts.map(([move, share, of], at) => (at < last ? `${share} of ${of} times ${written(move)}` : last ? `else ${written(move)}` : written(move))).join(', ');
}

/** A setting and its value in words. @param {SettingInfo} info @param {Setting} value */
const rule = ({ meaning, kind }, value) =>
  `${meaning}: ${kind === 'signs' ? [...String(value)].map(sign).join(' ') : plain(value)}`;

/** The rules that are not the classic ones, in words: `the score to reach: 30`. @param {Pick<GameInfo, 'settings'>} info @param {Settings} settings */
export const houseRules = (info, settings) =>
  info.settings
    .filter(({ name, classic }) => settings[name] !== undefined && settings[name] !== classic)
    .map((one) => rule(one, /** @type {Setting} */ (settings[one.name])))
    .join('; ');

/**
 * Whoever tells about one game: what it knows of the game, how its board writes moves, and what the players are called.
 * @param {Pick<GameInfo, 'settings' | 'endings' | 'goal' | 'summary'>} info
 * @param {Pick<BoardModule, 'written' | 'told'>} module
 * @param {Settings} settings
 * @param {Pair<string>} names
 */
export function teller(info, module, settings, names) {
  const kinds = /** @type {Record<string, (value: any) => string>} */ ({
    '': plain,
    quoted,
    percent,
    whole: perCent,
    difference: inPoints,
    points: (value) => fixed(100 * value, 1),
    times: (value) => ['never', 'once', 'twice'][value] ?? `${value} times`,
    name: (value) => names[value - 1] ?? '',
    move: (value) => module.written(value),
    sums: (value) => value.replace(/ ([-*/]) /g, (/** @type {string} */ _, /** @type {string} */ op) => ` ${sign(op)} `),
    either: (value) => either(value, module.written),
    mix: (value) => mix(value, module.written),
    short: (value) => inShort(value, module.written),
    list: (value) => value.join(', ') || 'none',
    sentence,
    settings: (value) => houseRules(info, value),
    said: (value) => say(value),
    ending: (value) => ending(value),
  });

  /** A template with its gaps filled: `{name}` or `{name:kind}`. @param {string} template @param {Record<string, any>} facts */
  const fill = (template, facts) =>
    template.replace(/\{(\w+)(?::(\w+))?\}/g, (_, name, kind = '') => {
      const text = kinds[kind.toLowerCase()]?.(facts[name]) ?? '';
      return kind && kind !== kind.toLowerCase() ? capital(text) : text;
    });

  /** One thing that is told. @param {Said} said @returns {string} */
  const say = ({ code, facts }) => fill(SENTENCES[code] ?? code, facts);

  /** Why a game ended: `Ann reached 50`. @param {Ended} end @returns {string} */
  function ending(end) {
    const [name, template] = [end.winner && names[end.winner - 1], info.endings[end.reason] ?? SENTENCES[end.reason]];
    const loser = end.winner && names[2 - end.winner];
    if (template !== undefined) return fill(template, { ...settings, ...end.facts, winner: name, loser });
    return name ? `${name} ${end.reason}` : end.reason;
  }

  return {
    say,
    ending,
    /** Several sentences. @param {Said[]} said */
    tell: (said) => said.map((one) => capital(say(one))).join(' '),
    /** Who won and why. @param {Ended} end */
    result: (end) => say({ code: end.winner ? 'result-won' : 'result-drawn', facts: { winner: end.winner, outcome: end } }),
    /** An entry of the history. @param {Line} line */
    line: (line) => line.entry === HIDDEN ? (line.player ? `${names[line.player - 1]} has chosen in secret.` : 'Something came up that is secret.') : sentence(line.player ? `${names[line.player - 1]} ${module.told(line, settings, names)}` : module.told(line, settings, names)),
    house: houseRules(info, settings),
    /** How to win. */
    goal: info.goal ? fill(info.goal, settings) : info.summary,
  };
}

/** Stands for a move or a reveal that is secret to whoever looks. */
export const HIDDEN = '?';
/** What people call players who gave no name. @type {Pair<string>} */
export const NAMES = ['Player 1', 'Player 2'];
/** Whoever tells what has to do with no game. */
export const anyGame = teller({ settings: [], endings: {}, goal: '', summary: '' }, { written: String, told: String }, {}, NAMES);

/**
 * What the server refused, in words: those of the game where it is known, and its own where there are none here.
 * @param {{ said?: Said | null, error: string }} problem
 * @param {(said: Said) => string} say
 */
export const refusal = ({ said, error }, say = anyGame.say) => (said && said.code in SENTENCES ? say(said) : error);

/** What a take-back of this player takes, in words: their move, and what was played since. @param {Shown} shown @param {number} seat */
export function taken({ state, seats, module }, seat) {
  const [move, ...gone] = (state.take_back.moves[seat - 1] ?? []).map(module.written);
  const whose = seats.length === 1 && seats[0] !== seat ? 'your' : owned(nameOf(state, 3 - seat));
  return `${move}${gone.length ? `; ${whose} ${gone.join(', ')} go${gone.length > 1 ? '' : 'es'} too` : ''}.`;
}

// ---- a review

/**
 * Why a verdict is what it is.
 * @param {ReviewStep} step
 * @param {boolean} over whether the game ended with this step
 * @returns {Said[]}
 */
export function because({ verdict, loss, after, player, best, why = [] }, over) {
  const [drawn, end] = [Math.abs(after - 0.5) < ALIKE ? ' drawn' : '', over ? ' over' : ''];
  const codes = [`why ${verdict}${drawn}${end}`, `why ${verdict}${end}`, `why ${verdict}`];
  const code = codes.find((one) => one in SENTENCES) ?? 'why not best';
  const better = why.length ? why : best.length && loss > ALIKE ? [{ code: 'best-was', facts: { best } }] : [];
  return [{ code, facts: { player, rival: 3 - player, loss } }, ...better];
}

// ---- a match

/** What the server tells where the computer looks ahead. */
export const AHEAD = 'computer-looks-ahead';
/** Whether what is told of the computer is about a move that is still to come. @param {State} state */
export const waits = (state) => !!state.computer && state.computer.code !== AHEAD;
/** @param {State} state @param {number} seat */
export const nameOf = (state, seat) => state.players[seat - 1]?.name ?? '';
/** Who resigned, in words; empty where nobody did. @param {Shown} shown */
export const resignation = ({ state: { outcome }, teller }) => (outcome?.resigned ? sentence(teller.ending(outcome)) : '');
/** Whether it was ended without a result. @param {State} state */
export const unplayed = ({ outcome }) => ['without-result', 'class-stopped'].includes(outcome?.reason ?? '');
/** @param {string} name */
export const owned = (name) => `${name}’${name.endsWith('s') ? '' : 's'}`;
/** Points, with halves as people write them. @param {number} points */
export const halves = (points) => (points % 1 ? `${Math.floor(points) || ''}½` : String(points));
/** The points of a series, in the order in which the two sat down first: seats change from round to round. @param {State} state */
export function points(state) {
  const [one, two] = state.series.points;
  const texts = [nameOf(state, 1), halves(one), halves(two), nameOf(state, 2)];
  const [left, mine, yours, right] = state.series.round % 2 ? texts : texts.reverse();
  return `${left} ${mine} : ${yours} ${right}`;
}
/** Whose turn it is, in words. @param {Shown} shown */
export function turnWords({ state, seats }) {
  if (state.outcome) return 'Game over';
  if (!state.turn) return 'Waiting for the other player';
  return seats.length === 1 && seats.includes(state.turn) ? 'Your turn' : `${owned(nameOf(state, state.turn))} turn`;
}
