// A review in one sentence: the one thing to take along from a game, and the step that it is about.

import { percent } from './chart.js';
import { ALIKE, either } from './words.js';

/** @import { Review, ReviewStep, Seat } from './wire.d.ts' */

/** Less than this of a chance is no lesson. */
const VISIBLE = 0.01;

/**
 * @param {Review} review
 * @param {Seat | null} me who looks at it, where that is known
 * @param {boolean} sure whether every position is won, lost or drawn for certain
 * @param {(move: string) => string} written
 * @returns {{ words: string, at: number | null }} the step is counted from 0
 */
export function headline({ steps, names, outcome }, me, sure, written) {
  const worstOf = (/** @type {Seat | null} */ seat) =>
    steps.reduce((/** @type {ReviewStep | null} */ worst, step) =>
      !step.reveal && step.loss >= VISIBLE && (!seat || step.player === seat) && step.loss >= (worst?.loss ?? 0) - ALIKE ? step : worst, null);
  const winner = outcome?.winner ?? null;
  const other = (/** @type {Seat} */ seat) => /** @type {Seat} */ (3 - seat);
  const who = me ?? (winner ? other(winner) : (worstOf(null)?.player ?? 1));
  const called = (/** @type {Seat} */ seat) => (seat === me ? 'You' : (names[seat - 1] ?? ''));
  const worst = worstOf(who) ?? (sure ? worstOf(other(who)) : null);
  if (!worst) {
    if (!outcome) return { words: 'No mistake so far.', at: null };
    if (!sure) return { words: `${called(who)} made no mistake${winner === who ? ', and it was enough' : ': luck decided it'}.`, at: null };
    return { words: winner ? `${called(winner)} could win from the start and never let go.` : 'Neither let the draw go.', at: null };
  }
  const { player, number, best, entry, loss, verdict } = worst;
  const [subject, played] = [called(player), entry === 'resign' ? 'resigning' : written(entry)];
  const instead = best.length ? either(best, written) : 'playing on';
  const before = player === 1 ? worst.before : 1 - worst.before;
  const winning = verdict === 'win thrown away' || (!sure && before >= 0.5);
  const lead = winner === player ? `${subject} won in spite of move ${number}`
    : winning ? `${subject} ${subject === 'You' ? 'were' : 'was'} winning until move ${number}`
    : sure ? `${subject} could hold the draw until move ${number}`
    : `${subject === 'You' ? 'Your' : `${subject}’s`} costliest move was move ${number}`;
  const lesson = sure ? `${instead} kept it, ${played} threw it away` : `${instead} was worth ${percent(loss)} more than ${played}`;
  return { words: `${lead}: ${lesson}.`, at: steps.indexOf(worst) };
}
