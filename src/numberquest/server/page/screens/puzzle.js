// A position with one right move: today's three (puzzle), a certain one (puzzle#id=NAME), or a new one of some game (puzzle#of=GAME).

import { boardOf, infoOf, sinceMove } from '../boards/boards.js';
import { certain, even, worthBars } from '../parts/chart.js';
import { confetti, errorWords, h, mark, morph, row, stylesheet } from '../parts/dom.js';
import { ALIKE, perCent } from '../parts/figures.js';
import { copied, outside } from '../parts/links.js';
import { ask } from '../parts/net.js';
import { begin, copyLink } from '../parts/share.js';
import { began, day, nextDay, note, on, settled, signs, STEPS, stepsOn, streak } from '../parts/streak.js';
import { many, NAMES, plainly, teller } from '../parts/words.js';

/** @import { Context, Page } from '../page.d.ts' */
/** @import { How } from '../parts/streak.js' */
/** @import { Judged, Pair, Puzzle, Solved } from '../wire.d.ts' */

const HOW = /** @type {Record<string, Pair<string>>} */ ({
  first: ['✓', 'solved at the first try'], later: ['○', 'solved later'], shown: ['✗', 'not solved'], trying: ['…', 'begun'],
});
/** @param {string} date @param {Intl.DateTimeFormatOptions} how */
const inWords = (date, how) => new Date(`${date}T12:00Z`).toLocaleDateString('en-GB', { timeZone: 'UTC', ...how });

/** @type {Page} */
export async function page(main, context) {
  const id = context.fragment.get('id');
  context.title(id ? 'Puzzle' : 'Today’s puzzle');
  await stylesheet('static/style/review.css');
  main.replaceChildren(h('p', { class: 'waiting', role: 'status' }, 'Looking for a puzzle …'));
  const today = day();
  const made = context.fragment.get('of');
  // A puzzle of a game that stands in no list: it gets an address of its own, so that it stays when the page is loaded anew.
  if (made) return context.go(`puzzle#id=${encodeURIComponent(/** @type {Puzzle} */ (await ask(`puzzles/new?${new URLSearchParams({ game: made })}`)).id)}`, true);
  if (id) return show(main, context, /** @type {Puzzle} */ (await ask(`puzzles?id=${encodeURIComponent(id)}`)), today, 0, () => undefined);
  /** @type {Record<number, Promise<Puzzle>>} */
  const known = {};
  const load = (/** @type {number} */ step) => (known[step] ??= /** @type {Promise<Puzzle>} */ (ask(`puzzles/daily?date=${today}&step=${step}`)));
  const open = async (/** @type {number} */ step) => {
    try {
      await show(main, context, await load(step), today, step, (next) => void open(next).then(() => main.querySelector('h2')?.focus()));
      // The next one is there when it is wanted.
      if (step < STEPS) load(step + 1).catch(() => delete known[step + 1]);
    } catch (error) {
      delete known[step];
      context.tell(errorWords(error));
    }
  };
  const done = stepsOn(today);
  const step = [1, 2, 3].find((one) => !settled(done[one - 1])) ?? STEPS;
  // The first one may fail aloud: then there is a page that says so, with a way to try again.
  await load(step);
  await open(step);
}

/**
 * @param {HTMLElement} main
 * @param {Context} context
 * @param {Puzzle} puzzle
 * @param {string} today
 * @param {number} step which of today's, counted from 1; 0 for any other puzzle
 * @param {(step: number) => void} open shows another step
 */
async function show(main, context, puzzle, today, step, open) {
  const { games } = await context.games();
  const [module, info] = await Promise.all([boardOf(puzzle.game), infoOf(context, puzzle)]);
  const { house, say: told, tell } = teller(info, module, puzzle.settings, NAMES);
  const names = /** @type {Pair<string>} */ (puzzle.player === 1 ? ['You', 'Opponent'] : ['Opponent', 'You']);
  let board = h('div');
  const { drawn } = sinceMove(puzzle.history);
  const [answer, week, status] = [h('div', { class: 'answer' }), h('div', { class: 'streak' }), h('p', { role: 'status' })];
  // Who one is: not every board says it, and what is on it bears the mark of one of the two.
  const me = h('small', { class: 'me' }, 'You are ', mark(puzzle.player), h('span', { class: 'unseen' }, `${NAMES[puzzle.player - 1]}.`));
  const question = h('h2', { tabindex: '-1' }, me, ' ', tell(puzzle.question.filter(({ code }) => code !== 'puzzle-you')));
  const failed = (/** @type {unknown} */ error) => context.tell(errorWords(error));
  const judge = (/** @type {string} */ move, first = false) => /** @type {Promise<Judged>} */ (ask('puzzles/answers', { body: { id: puzzle.id, move, first } }));
  const before = () => (step ? stepsOn(today)[step - 1] : null) ?? null;

  /** The board: open for a move, or with the move that was made. @param {boolean} open @param {Judged} [judged] */
  function table(open, judged) {
    const about = { tell: context.tell, moves: open ? puzzle.moves : [], names, view: puzzle.view, ...(judged ? { last: judged.line, turn: null } : { drawn, turn: puzzle.player }) };
    board = morph(board, module.show({ ...puzzle.settings, ...(judged?.board ?? puzzle.board) }, open ? { ...about, play: guess } : about));
  }

  /** What has been settled today stays so. @param {How} how @param {string} move */
  function count(how, move) {
    if (step && !settled(before())) note(today, step, { move, how });
    drawWeek();
  }

  /** @param {string} move */
  async function guess(move) {
    table(false);
    try {
      const again = before();
      const judged = await judge(move, step > 0 && !again);
      count(!judged.right ? 'trying' : again ? 'later' : 'first', move);
      if (judged.right) solved(judged, move, 'Solved', !settled(again));
      else missed(judged, move);
    } catch (error) {
      table(true);
      failed(error);
    }
  }

  /** Nothing here gives the answer away. @param {Judged} judged @param {string} move */
  function missed(judged, move) {
    const value = judged.values.find((worth) => worth.move === move)?.value ?? 0;
    const sure = certain(judged.values, puzzle.chance);
    const comes = sure && even(value) ? 'your opponent can hold a draw; with another move you can win'
      : sure ? 'your opponent can win, whatever you do after it'
      : value < ALIKE ? 'you lose; with another move you can still win'
        : `you win ${perCent(value)} of such games, and with another move more`;
    table(false, judged);
    say('bad', '✗', 'Not this one', h('p', null, `With ${module.written(move)} ${comes}.`),
      h('div', { class: 'again' }, h('button', { class: 'go', onclick: () => (table(true), waiting(), question.focus()) }, 'Try once more'),
        h('button', { class: 'button', onclick: () => (count('shown', move), solved(judged, move, 'The answer', false)) }, 'Show the answer')));
  }

  /** @param {Judged} judged @param {string} move @param {string} title @param {boolean} fresh whether it has just been found */
  function solved(judged, move, title, fresh) {
    const right = judged.answers.includes(move);
    const noted = Object.fromEntries(judged.answers.map((one) => [one, 'right']));
    if (!right) noted[move] = 'your guess';
    if (right) table(false, judged);
    const done = step > 0 && stepsOn(today).length === STEPS && stepsOn(today).every(settled);
    const next = [1, 2, 3].find((one) => !settled(stepsOn(today)[one - 1]));
    const here = h('p', { class: 'dim' });
    say(right ? 'good' : '', right ? '✓' : '', title, h('p', null, tell(judged.said)), here,
      done ? result(today, fresh) : '',
      step && next ? h('div', { class: 'again' }, h('button', { class: 'go', onclick: () => open(next) }, `On to step ${next} of ${STEPS}`)) : '',
      h('h3', null, 'What each move is worth'),
      h('p', { class: 'dim' }, certain(judged.values, puzzle.chance) ? 'Where it leads, if both go on as well as they can:' : 'How often you win with it, if both go on as well as they can:'),
      worthBars(judged.values, noted, module.written, puzzle.chance),
      // Of a game with secrets there is none: it would tell what is secret.
      puzzle.record && h('div', { class: 'again' }, h('button', { class: 'button', onclick: () => begin(context, { game: puzzle.game, record: puzzle.record, opponent: 'perfect', seat: puzzle.player }) },
        'Play on from here against the perfect computer')));
    if (step) void others(here);
  }

  /** How others did, where there are any. @param {HTMLElement} here */
  async function others(here) {
    const all = /** @type {Solved | null} */ (await ask('puzzles/daily/solved').catch(() => null));
    const tally = all?.date === today ? all.steps[step - 1] : null;
    if (!tally?.tries) return;
    here.textContent = tally.tries === 1 ? 'Nobody else here has tried it yet today.'
      : `Of ${tally.tries} who tried it here today, ${tally.right} found it at the first try (${perCent(tally.right / tally.tries)}).`;
  }

  /** @param {string} kind @param {string} sign @param {string} title @param {...(Node | string)} more */
  function say(kind, sign, title, ...more) {
    answer.replaceChildren(h('h2', { tabindex: '-1', class: kind }, sign && h('span', { 'aria-hidden': 'true' }, `${sign} `), title), ...more);
    answer.querySelector('h2')?.focus();
  }

  const waiting = () => answer.replaceChildren(h('p', { class: 'dim' }, 'Choose your move on the board.', !!step && !before() && ' Your first try counts.'));

  /** The steps of today, and the days before it. */
  function drawWeek() {
    morph(steps, path());
    const [days, how, next] = [streak(), on(today)?.how ?? 'trying', nextDay()];
    const hours = Math.ceil((next.getTime() - Date.now()) / 36e5);
    const clock = next.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
    week.replaceChildren(h('h2', null, days ? `${many(days, 'day')} in a row` : 'Your streak'),
      h('ol', null, [6, 5, 4, 3, 2, 1, 0].map((ago) => {
        const what = on(day(ago))?.how ?? '';
        const [sign, words] = HOW[what] ?? ['', !ago ? 'still open' : day(ago) < began() ? 'before your first one' : 'left out'];
        const name = inWords(day(ago), { weekday: 'long' });
        return h('li', { class: what }, h('b', { 'aria-hidden': 'true' }, sign), h('small', { 'aria-hidden': 'true' }, ago ? name.slice(0, 3) : 'today'),
          h('span', { class: 'unseen' }, `${name}: ${words}`));
      })),
      h('p', { class: 'dim' }, how === 'trying' ? 'A day counts when you have found all three.' : `The next daily puzzle comes at ${clock}, in ${hours > 1 ? many(hours, 'hour') : 'less than an hour'}.`));
  }

  /** Where one is in today's three; what was settled can be looked at again. */
  function path() {
    return h('ol', { class: 'trio', 'aria-label': 'Steps' }, step > 0 && [1, 2, 3].map((one) => {
      const was = stepsOn(today)[one - 1];
      const [sign, words] = (was && HOW[was.how]) || ['', 'still open'];
      // One after the other, from easy to hard.
      const may = one === step || settled(was) || (one > 1 ? settled(stepsOn(today)[one - 2]) : true);
      return h('li', { class: was?.how ?? null }, h('button', { class: 'button', 'aria-current': one === step && 'step', 'aria-disabled': !may && 'true', onclick: () => may && one !== step && open(one) },
        `Step ${one}`, ' ', h('b', { 'aria-hidden': 'true' }, sign), h('span', { class: 'unseen' }, `: ${words}`)));
    }));
  }
  const steps = path();

  // A game that came in a link is in no list.
  const choice = h('select', { id: 'game' }, [...games, ...(games.some((one) => one.game === info.game) ? [] : [info])].map((one) => h('option', { value: one.game, selected: one.game === puzzle.game }, one.short_title)));
  const another = () => /** @type {Promise<Puzzle>} */ (ask(`puzzles/new?game=${choice.value}`))
    .then((found) => context.go(`puzzle#id=${encodeURIComponent(found.id)}`), failed);
  const rules = async () => (await import('./rules.js')).rules(context, puzzle.game, puzzle.settings);
  main.replaceChildren(h('div', { class: 'review puzzle' },
    h('header', null, h('h1', { tabindex: '-1' }, step ? 'Today’s puzzle' : 'Puzzle', ' ', step > 0 && h('small', null, inWords(today, { weekday: 'long', day: 'numeric', month: 'long' }))),
      h('ul', null, h('li', null, h('strong', null, puzzle.short_title), house && h('small', null, house)),
        h('li', null, h('span', { class: 'grade', 'aria-hidden': 'true' }, '●'.repeat(puzzle.grade) + '○'.repeat(5 - puzzle.grade)), plainly(`grade-${puzzle.grade}`)),
        h('li', null, h('button', { class: 'text', onclick: rules }, 'Rules'))), steps),
    h('section', { class: 'sheet felt look', 'aria-label': 'The puzzle' }, question, puzzle.note && h('p', { class: 'dim' }, told(puzzle.note)), board,
      puzzle.history.length > 0 && h('details', null, h('summary', null, 'How it came to this'), h('ol', { class: 'past' }, puzzle.history.map((line) =>
        h('li', null, mark(line.player), line.player > 0 && `${names[line.player - 1]}: `, module.told(line, puzzle.settings, names)))))),
    h('section', { class: 'sheet step', 'aria-label': 'Your answer' }, answer),
    h('section', { class: 'sheet list', 'aria-label': 'Your streak' }, week),
    h('section', { class: 'sheet share', 'aria-label': 'More puzzles' }, h('div', { class: 'row' }, h('label', { for: 'game' }, 'Another one:'), choice, h('button', { class: 'button', onclick: another }, 'New puzzle'),
      !step && h('a', { class: 'button', href: 'puzzle' }, 'Today’s puzzle'),
      h('button', { class: 'button', onclick: () => copyLink(`puzzle#id=${encodeURIComponent(puzzle.id)}`, status) }, 'Copy a link to this puzzle')), status)));
  drawWeek();
  const done = before();
  const still = !done || done.how === 'trying';
  table(still);
  if (still) waiting();
  else solved(await judge(done.move), done.move, done.how === 'shown' ? 'The answer' : 'Solved today', false);
}

/**
 * The end of a day's puzzle: how it went, in signs that give nothing away, to be handed on.
 * @param {string} today
 * @param {boolean} fresh whether it has just been finished
 */
function result(today, fresh) {
  const [how, days, marks] = [on(today)?.how, streak(), signs(today)];
  const words = how === 'first' ? 'All three at the first try!' : how === 'later' ? 'All three found!' : 'That was today’s puzzle.';
  const text = [`Number Quest ${today}`, days > 1 ? `${marks} ★ ${days} days in a row` : marks, outside('puzzle')].join('\n');
  const field = h('textarea', { readonly: true, rows: 4, 'aria-label': 'Your result' });
  field.value = text;
  const status = h('p', { role: 'status' });
  const copy = async () => (status.textContent = (await copied(text, field)) ? '✓ Your result is copied.' : 'Copy the text that is marked now.');
  const share = () => void navigator.share({ text }).catch(() => undefined);
  const found = how !== 'shown';
  return h('div', { class: 'finish' },
    fresh && found && confetti('1+7×3−9÷5+2×8=4★6'),
    h('p', null, h('strong', null, words)),
    field,
    row(h('button', { class: 'go', onclick: copy }, 'Copy your result'), 'share' in navigator && h('button', { class: 'button', onclick: share }, 'Share')),
    status);
}
