// What is asked about a game that somebody makes: whether it keeps the laws, how it goes, what it is like. Python is asked
// in a frame of its own, and all that comes from there is looked at before it is shown.

import { LABELS } from './measures.js';
import { ask, Trouble } from './net.js';
import { hasPython, Sandbox, STRANGE } from './sandbox.js';
import { either, list, maybe, number, oneOf, optional, record, Strange, text, truth, whole } from './shape.js';
import { plainly } from './words.js';
import { LAWS } from '../laws.js';

/** @import { TriedDraft } from '../wire.d.ts' */
/** @import { Draft } from './drafts.js' */
/** @import { Shape } from './shape.js' */

const NEEDS_PYTHON = 'To try a game in Python, this browser needs Python, which this server does not send along. Whoever runs it can add that: numberquest serve --site FOLDER.';
const FAR = 1e9;
const entry = text(20);
const plain = either(maybe(number(-FAR, FAR)), truth, text(60));
const view = list(
  record({
    name: text(40), label: text(60), kind: oneOf('scores', 'number', 'pool', 'pile', 'cells', 'flags', 'who', 'turn', 'plain'),
    target: optional(whole(0, 9999)), high: optional(whole(0, 9999)), wide: optional(whole(1, 40)), marks: optional(oneOf('', 'players', 'lamps')),
  }),
  30,
);
/** What the fields of a board may hold. @type {Record<string, Shape<any>>} */
const HOLDS = {
  scores: list(maybe(number(-FAR, FAR)), 2), number: maybe(number(-FAR, FAR)), pool: list(whole(-FAR, FAR), 400), pile: list(whole(-FAR, FAR), 400),
  cells: list(either(maybe(number(-FAR, FAR)), truth), 400), flags: list(truth, 2), who: maybe(oneOf(1, 2)), turn: plain,
  plain: either(plain, list(either(plain, list(plain, 40)), 400)),
};
const moves = list(record({ move: entry, result: optional(whole(-FAR, FAR)), ends: optional(oneOf('wins', 'loses', 'draws')), facts: optional(record({ cell: optional(whole(0, 399)) })) }), 1000);
const seat = maybe(oneOf(1, 2));
const tried = record({
  view, board: record({}), moves, turn: seat, winner: seat, ending: maybe(text(200)), played: list(entry, 1000),
  history: list(record({ player: oneOf(0, 1, 2), entry }), 1000),
});
const checked = record({
  info: record({ title: text(60), summary: text(300), rules: text(4000), settings: list(record({ name: text(30), meaning: text(120), classic: plain }), 20) }),
  laws: list(record({ name: oneOf(...Object.keys(LAWS)), state: oneOf('holds', 'broken', 'unseen', '-'), why: maybe(text(500)) }), 50),
  line: maybe(whole(1, 100000)), ends: truth, name: text(5000), recipe: (said) => /** @type {Record<string, any>} */ (said ?? {}),
});
const measures = record({
  positions: whole(0, 1e12),
  measures: list(record({ name: oneOf(...Object.keys(LABELS)), value: maybe(number(-1e6, 1e6)) }), 40),
});
const failure = record({ code: text(30), said: record({ facts: record({ why: maybe(text(500)) }) }), line: maybe(whole(1, 100000)) });

/** So many seconds of work are done for whoever wants an answer in a moment. */
const SOON = 3;
/** The same question, as it is asked in a frame. @param {string} task @param {string} text @param {any} more */
const IN_FRAME = (task, text, { level, soon, ...more }) => {
  if (task === 'checks') return { task: 'check-draft', text };
  if (task === 'trials') return { task: 'try-draft', text, level, ...more };
  return { task: 'measure-draft', text, players: [level, level], patience: soon ? SOON : 0 };
};

/** Why a draft is no game yet, in a sentence. */
export class Refused extends Error {
  /** @param {string} words @param {number | null} [line] @param {string} [code] @param {boolean} [own] whether these are words of the game, and not ours */
  constructor(words, line = null, code = '', own = false) {
    super(words);
    this.line = line;
    this.code = code;
    this.own = own;
  }
}

/** Whoever asks about drafts. */
export class Maker {
  /** @type {Sandbox | null} */ #sandbox = null;

  /** When whatever answers about it is there. @param {Draft} draft */
  loaded = async ({ kind }) => {
    if (kind === 'recipe') return;
    if (!hasPython) throw new Refused(NEEDS_PYTHON);
    await this.#frame().loaded();
  };

  #frame() {
    if (!this.#sandbox || this.#sandbox.over) this.#sandbox = new Sandbox();
    return this.#sandbox;
  }

  /** Another game: what runs for the one before ends, and nothing of it is there any more. */
  anew() {
    this.#sandbox?.end('It was ended.');
    this.#sandbox = null;
  }

  /** @param {Draft} draft */
  check = (draft) => this.#ask(draft, 'checks', {}, checked);

  /** @param {Draft} draft @param {{ seed: string, moves: string[], level: string }} how */
  async play(draft, how) {
    const found = await this.#ask(draft, 'trials', how, (said) => {
      const shown = tried(said);
      const board = record(Object.fromEntries(shown.view.map((field) => [field.name, /** @type {Shape<any>} */ (HOLDS[field.kind])])));
      return { ...shown, board: board(/** @type {any} */ (said).board) };
    });
    return /** @type {TriedDraft} */ (/** @type {unknown} */ (found));
  }

  /** @param {Draft} draft @param {string} level of both players @param {boolean} soon whether it is given up where it takes more than a moment */
  measure = (draft, level, soon) => this.#ask(draft, 'measures', { level, soon }, measures);

  /**
   * @template T
   * @param {Draft} draft
   * @param {string} task
   * @param {object} more
   * @param {Shape<T>} shape
   * @returns {Promise<T>}
   */
  async #ask({ kind, text: source }, task, more, shape) {
    const sandbox = kind === 'python' ? this.#frame() : null;
    const said = sandbox ? await sandbox.ask(IN_FRAME(task, source, more)) : await asked(task, { text: source, ...more });
    try {
      if (!sandbox) return shape(said);
      const answer = /** @type {any} */ (said);
      if (answer?.answer === 'made') return shape(answer.json);
      const { code, said: { facts }, line } = failure(answer);
      if (code === 'too-large' || !facts.why) throw new Refused(plainly(code === 'too-large' ? code : 'went-wrong'), line, code);
      throw new Refused(facts.why, line, code, true);
    } catch (error) {
      if (error instanceof Strange) throw sandbox?.end(STRANGE) ?? new Refused(STRANGE);
      throw error;
    }
  }
}

/** A recipe runs no code: whoever answers the page answers this too. @param {string} task @param {object} body */
const asked = (task, body) =>
  ask(`drafts/${task}`, { body }).catch((error) => {
    throw error instanceof Trouble ? new Refused(error.message, error.line ?? null, error.code) : error;
  });
