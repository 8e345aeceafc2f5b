// A position with one right move: today's (puzzle), a certain one (puzzle#id=NAME), or a new one of some game.

import { boardOf, infoOf } from './boards.js';
import { certain, even, mark, percent, worthBars } from './chart.js';
import { h, morph, sentence, stylesheet } from './dom.js';
import { ask } from './net.js';
import { begin, copyLink } from './share.js';
import { day, nextDay, note, on, streak } from './streak.js';
import { ALIKE, NAMES, plainly, teller } from './words.js';

/** @import { Page } from './page.d.ts' */
/** @import { Day } from './streak.js' */
/** @import { Judged, Pair, Puzzle } from './wire.d.ts' */

const HOW = /** @type {Record<string, Pair<string>>} */ ({
  first: ['✓', 'solved at the first try'], later: ['○', 'solved later'], shown: ['✗', 'not solved'], trying: ['…', 'begun'],
});
/** @param {number} count @param {string} thing */
const many = (count, thing) => `${count} ${thing}${count === 1 ? '' : 's'}`;
/** @param {string} date @param {Intl.DateTimeFormatOptions} how */
const inWords = (date, how) => new Date(`${date}T12:00Z`).toLocaleDateString('en-GB', { timeZone: 'UTC', ...how });

/** @type {Page} */
export async function page(main, context) {
  const id = context.fragment.get('id');
  const today = day();
  context.title(id ? 'Puzzle' : 'Today’s puzzle');
  await stylesheet('static/review.css');
  main.replaceChildren(h('p', { class: 'waiting', role: 'status' }, 'Looking for a puzzle …'));
  const [puzzle, { games }] = await Promise.all([
    /** @type {Promise<Puzzle>} */ (ask(id ? `puzzles?id=${encodeURIComponent(id)}` : `puzzles/daily?date=${today}`)), context.games()]);
  const [module, info] = await Promise.all([boardOf(puzzle.game), infoOf(context, puzzle)]);
  const { house, say: told, tell } = teller(info, module, puzzle.settings, NAMES);
  const names = /** @type {Pair<string>} */ (puzzle.player === 1 ? ['You', 'Opponent'] : ['Opponent', 'You']);
  let board = h('div');
  const drawn = puzzle.history.slice(puzzle.history.findLastIndex(({ player }) => player) + 1).map(({ entry }) => entry);
  const [answer, week, status] = [h('div', { class: 'answer' }), h('div', { class: 'streak' }), h('p', { role: 'status' })];
  const question = h('h2', { tabindex: '-1' }, mark(puzzle.player), tell(puzzle.question));
  const failed = (/** @type {unknown} */ error) => context.tell(sentence(error instanceof Error ? error.message : String(error)));
  const judge = (/** @type {string} */ move) => /** @type {Promise<Judged>} */ (ask('puzzles/answers', { body: { id: puzzle.id, move } }));
  const before = () => (id ? undefined : on(today));

  /** @param {boolean} open */
  function table(open) {
    board = morph(board, module.show({ ...puzzle.settings, ...puzzle.board }, { moves: open ? puzzle.moves : [], play: guess, names, turn: puzzle.player, view: puzzle.view, drawn }));
  }

  /** What has been settled today stays so. @param {Day['how']} how @param {string} move */
  function count(how, move) {
    if (!id && (before()?.how ?? 'trying') === 'trying') note(today, { move, how });
    drawWeek();
  }

  /** @param {string} move */
  async function guess(move) {
    table(false);
    try {
      const judged = await judge(move);
      if (judged.right) count(before() ? 'later' : 'first', move);
      else count('trying', move);
      if (judged.right) solved(judged, move, 'Solved');
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
        : `you win ${percent(value, 2)} of such games, and with another move more`;
    say('bad', '✗', 'Not this one', h('p', null, `With ${module.written(move)} ${comes}.`),
      h('div', { class: 'again' }, h('button', { class: 'go', onclick: () => (table(true), waiting(), question.focus()) }, 'Try once more'),
        h('button', { class: 'button', onclick: () => (count('shown', move), solved(judged, move, 'The answer')) }, 'Show the answer')));
  }

  /** @param {Judged} judged @param {string} move @param {string} title */
  function solved(judged, move, title) {
    const right = judged.answers.includes(move);
    const noted = Object.fromEntries(judged.answers.map((one) => [one, 'right']));
    if (!right) noted[move] = 'your guess';
    say(right ? 'good' : '', right ? '✓' : '', title, h('p', null, tell(judged.said)),
      h('h3', null, 'What each move is worth'),
      h('p', { class: 'dim' }, certain(judged.values, puzzle.chance) ? 'Where it leads, if both go on as well as they can:' : 'How often you win with it, if both go on as well as they can:'),
      worthBars(judged.values, noted, module.written, puzzle.chance),
      h('div', { class: 'again' }, h('button', { class: 'button', onclick: () => begin(context, { game: puzzle.game, record: puzzle.record, opponent: 'perfect', seat: puzzle.player }) },
        'Play on from here against the perfect computer')));
  }

  /** @param {string} kind @param {string} sign @param {string} title @param {...Node} more */
  function say(kind, sign, title, ...more) {
    answer.replaceChildren(h('h2', { tabindex: '-1', class: kind }, sign && h('span', { 'aria-hidden': 'true' }, `${sign} `), title), ...more);
    answer.querySelector('h2')?.focus();
  }

  const waiting = () => answer.replaceChildren(h('p', { class: 'dim' }, 'Choose your move on the board.', !id && !before() && ' Your first try counts for the streak.'));

  function drawWeek() {
    const [row, how, next] = [streak(), on(today)?.how ?? 'trying', nextDay()];
    const hours = Math.ceil((next.getTime() - Date.now()) / 36e5);
    const clock = next.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
    week.replaceChildren(h('h2', null, row ? `${many(row, 'day')} in a row` : 'Your streak'),
      h('ol', null, [6, 5, 4, 3, 2, 1, 0].map((ago) => {
        const what = on(day(ago))?.how ?? '';
        const [sign, words] = HOW[what] ?? ['', ago ? 'left out' : 'still open'];
        const name = inWords(day(ago), { weekday: 'long' });
        return h('li', { class: what }, h('b', { 'aria-hidden': 'true' }, sign), h('small', { 'aria-hidden': 'true' }, ago ? name.slice(0, 3) : 'today'),
          h('span', { class: 'unseen' }, `${name}: ${words}`));
      })),
      h('p', { class: 'dim' }, how === 'trying' ? 'Solve the daily puzzle at the first try, day after day.' : `The next daily puzzle comes at ${clock}, in ${hours > 1 ? many(hours, 'hour') : 'less than an hour'}.`));
  }

  const choice = h('select', { id: 'game' }, games.map((one) => h('option', { value: one.game, selected: one.game === puzzle.game }, one.short_title)));
  const another = () => /** @type {Promise<Puzzle>} */ (ask(`puzzles/new?game=${choice.value}`))
    .then((found) => context.go(`puzzle#id=${encodeURIComponent(found.id)}`), failed);
  main.replaceChildren(h('div', { class: 'review puzzle' },
    h('header', null, h('h1', { tabindex: '-1' }, id ? 'Puzzle' : 'Today’s puzzle', ' ', h('small', null, id ? puzzle.id : inWords(today, { weekday: 'long', day: 'numeric', month: 'long' }))),
      h('ul', null, h('li', null, h('strong', null, puzzle.short_title), house && h('small', null, house)),
        h('li', null, h('span', { class: 'grade', 'aria-hidden': 'true' }, '●'.repeat(puzzle.grade) + '○'.repeat(5 - puzzle.grade)), plainly(`grade-${puzzle.grade}`)))),
    h('section', { class: 'sheet felt look', 'aria-label': 'The puzzle' }, question, puzzle.note && h('p', { class: 'dim' }, told(puzzle.note)), board,
      puzzle.history.length > 0 && h('details', null, h('summary', null, 'How it came to this'), h('ol', { class: 'past' }, puzzle.history.map((line) =>
        h('li', null, mark(line.player), line.player > 0 && `${names[line.player - 1]}: `, module.told(line, puzzle.settings)))))),
    h('section', { class: 'sheet step', 'aria-label': 'Your answer' }, answer),
    h('section', { class: 'sheet list', 'aria-label': 'Your streak' }, week),
    h('section', { class: 'sheet share', 'aria-label': 'More puzzles' }, h('div', { class: 'row' }, h('label', { for: 'game' }, 'Another one:'), choice, h('button', { class: 'button', onclick: another }, 'New puzzle'),
      id && h('a', { class: 'button', href: 'puzzle' }, 'Today’s puzzle'),
      h('button', { class: 'button', onclick: () => copyLink(`puzzle#id=${encodeURIComponent(puzzle.id)}`, status) }, 'Copy a link to this puzzle')), status)));
  drawWeek();
  const done = before();
  const open = !done || done.how === 'trying';
  table(open);
  if (open) waiting();
  else solved(await judge(done.move), done.move, done.how === 'shown' ? 'The answer' : 'Solved today');
}
