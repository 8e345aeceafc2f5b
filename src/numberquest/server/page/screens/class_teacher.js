// The teacher of a class: the lobby for the projector, all tables at once, what is put to everybody, and the end.

import { qrCode } from '../boards/pictures.js';
import { asked, Countdown, Drawn, KEPT, missedWords, moments, NewsLine, pointsWords, Seat, toMove } from '../parts/classroom.js';
import { confirm, dialog, errorWords, h, mark, renew, row, sentence } from '../parts/dom.js';
import { fairWords, peopleWords } from '../parts/fairness.js';
import { nameField, select } from '../parts/fields.js';
import * as keep from '../parts/keep.js';
import { ONLY_HERE, onlyHere, outside } from '../parts/links.js';
import { ask, newKey, save, Trouble } from '../parts/net.js';
import { many, unplayed } from '../parts/words.js';
import { link } from './sidebar.js';

/** @import { Context } from '../page.d.ts' */
/** @import { Kept } from './classroom.js' */
/** @import { ClassBoard, ClassFigures, ClassReport, ClassTable, Missed, Pupil, Puzzle, QrCode, State, TeacherAct } from '../wire.d.ts' */

/** All is drawn anew at most once in so many milliseconds: in a full class something happens all the time. */
const PAUSE = 250;
/** What the class has done so far is asked for at most once in so many milliseconds. */
const FIGURES = 4000;
/** So many of the positions most often got wrong are shown. */
const MOST = 3;
const MORE_MINUTES = 5;

/**
 * @param {HTMLElement} main
 * @param {Context} context
 * @param {Kept} kept
 * @param {() => void} gone
 */
export async function teach(main, context, { code, classroom = '', teacher: token = '', roster = [] }, gone) {
  const path = `classes/${classroom}`;
  const known = /** @type {ClassBoard | null} */ (await ask(`${path}/board`, { token }).catch((error) => {
    if (error instanceof Trouble && ['not-found', 'no-seat'].includes(error.code)) return null;
    throw error;
  }));
  if (!known) return gone();
  let board = known;
  const [seen, held] = [h('div'), h('div', { class: 'held' })];
  main.replaceChildren(seen, held);
  /** @type {ClassFigures | null} */ let figures = null;
  /** @type {ClassReport | null} */ let report = null;
  /** @type {QrCode | null} */ let qr = null;
  let [exact, left, later, due] = [false, false, 0, 0];
  /** The match that is watched. @type {string | null} */ let watched = null;
  const countdown = new Countdown();
  const drawn = new Drawn(context, () => soon());
  const seat = new Seat(held, context);
  const nameOf = (/** @type {number | null} */ number) => {
    const pupil = board.pupils.find((one) => one.number === number);
    return number === null ? `the computer (${board.level})` : !pupil ? 'somebody' : (board.names === 'roster' && roster[Number(pupil.name) - 1]) || pupil.name;
  };

  /** @param {TeacherAct['do']} deed @param {Omit<TeacherAct, 'do'>} [more] */
  async function act(deed, more = {}) {
    try {
      hear(await ask(`${path}/board`, { body: { do: deed, key: newKey(), ...more }, token }));
      return true;
    } catch (error) {
      context.tell(errorWords(error));
      return false;
    }
  }
  const button = (/** @type {string} */ words, /** @type {() => unknown} */ onclick, kind = 'button') => h('button', { class: kind, onclick }, words);

  /** How it stands now. @param {ClassBoard} now */
  function hear(now) {
    if (left) return;
    for (const { number, hand, knocks } of now.pupils) {
      const before = board.pupils.find((one) => one.number === number);
      if (hand && !before?.hand) context.say(`${nameOf(number)} raises a hand.`);
      if (knocks && !before?.knocks) context.say(`Another device asks for the seat of ${nameOf(number)}.`);
    }
    if (now.phase !== board.phase) [watched, exact, report] = [null, false, null];
    if (now.question) watched = null;
    const more = now.played !== board.played || now.phase !== board.phase;
    board = now;
    countdown.set(board.left, board.paused || board.phase !== 'playing');
    if (more) count();
    soon();
  }

  /** Ask what the class has done so far, when some time has passed since the last time. */
  function count() {
    if (due) return;
    due = window.setTimeout(async () => {
      due = 0;
      const over = board.phase === 'over';
      const found = /** @type {ClassFigures & ClassReport | null} */ (await ask(`${path}/${over ? 'report' : 'figures'}`, { token }).catch(() => null));
      if (left) return;
      if (over && found) report = found;
      figures = (over ? found?.figures : found) ?? figures;
      if (!found || figures?.waiting) count();
      soon();
    }, figures ? FIGURES : 0);
  }

  function soon() {
    later ||= window.setTimeout(() => ((later = 0), left || draw()), PAUSE);
  }

  function draw() {
    context.title(`Class ${code}`);
    const had = main.contains(document.activeElement) && document.activeElement !== main;
    renew(seen, view());
    held.hidden = !watched;
    void seat.go(watched);
    if (had && document.activeElement === document.body) /** @type {HTMLElement | null} */ (seen.querySelector('h2, h1'))?.focus({ preventScroll: true });
  }

  function view() {
    const { phase, question } = board;
    return h('div', { class: `class${watched ? ' watching' : ''}` },
      head(),
      phase !== 'over' && h('div', { class: 'calls' }, board.pupils.filter(({ hand, knocks }) => hand || knocks).map(call)),
      question ? asked(question, drawn, context)
        : watched ? h('p', { class: 'note' }, 'You are watching: the whole class sees it large.')
          : phase === 'lobby' ? lobby()
            : phase === 'over' ? end()
              : [phase === 'between' && soFar(), h('div', { class: 'floor' }, tables(), beside())],
      controls(),
    );
  }

  function head() {
    const { phase, round, rounds, way, paused, locked } = board;
    const words = phase === 'lobby' ? 'not begun' : phase === 'over' ? 'over' : phase === 'between' ? `round ${round} is over` : way === 'rounds' ? `round ${round} of ${rounds}` : '';
    return h('div', { class: 'title' },
      h('h1', { tabindex: '-1' }, board.short_title),
      h('span', { class: 'chip' }, 'Class ', h('b', null, code)),
      words && h('span', { class: 'chip' }, sentence(words).slice(0, -1)),
      phase === 'playing' && countdown.place(),
      paused && h('span', { class: 'chip on' }, '❚❚ Paused'),
      locked && h('span', { class: 'chip' }, 'Locked: nobody new comes in'),
      phase !== 'lobby' && h('span', { class: 'chip' }, `${board.pupils.filter(({ here }) => here).length} of ${many(board.pupils.length, 'pupil')} here`),
    );
  }

  /** Somebody who wants something. @param {Pupil} pupil */
  const call = ({ number, hand }) =>
    h('p', { class: 'note row sheet', 'data-id': `call${number}` },
      h('b', null, hand ? `${nameOf(number)} raises a hand.` : `Another device asks for the seat of ${nameOf(number)}.`),
      hand ? button('Done', () => act('lower', { pupil: number })) : button(`Give it to ${nameOf(number)}`, () => act('reseat', { pupil: number })));

  /** For the last row: how to come in, and who is there. */
  function lobby() {
    const address = outside('class').replace(/^https?:\/\//, '');
    return h('section', { class: 'entrance', 'aria-label': 'How to come in' },
      h('div', { class: 'sheet door' },
        h('p', null, 'Open ', h('b', { class: 'address' }, address), ' and type'),
        h('p', { class: 'code', role: 'img', 'aria-label': `The letters ${[...code].join(' ')}` }, [...code].map((letter) => h('span', { 'aria-hidden': 'true' }, letter))),
        onlyHere() && h('p', null, h('b', null, ONLY_HERE)),
        h('p', null, h('b', null, 'Names are gone tomorrow.'), ' Nobody needs an account.'),
      ),
      h('div', { class: 'sheet scan' }, qr && qrCode(qr, `QR code of class ${code}`), h('p', null, 'or point your camera here')),
      h('div', { class: 'sheet who' },
        h('h2', { tabindex: '-1' }, board.pupils.length ? `${board.pupils.length} ${board.pupils.length === 1 ? 'is' : 'are'} here` : 'Nobody is here yet'),
        h('ul', { class: 'names', 'aria-live': 'polite' }, board.pupils.map(({ number, here }) => h('li', { 'data-id': `in${number}`, class: here ? null : 'away' }, nameOf(number), !here && h('small', null, ' away'))))),
    );
  }

  function tables() {
    const { way, paused } = board;
    if (!board.tables.length) return h('p', { class: 'sheet' }, way === 'position' ? 'Ask everybody: the button is below.' : 'Nobody plays yet. A game begins as soon as two are here.');
    const order = [...board.tables].sort((one, other) => Number(!!one.outcome) - Number(!!other.outcome) || one.number - other.number);
    return h('ul', { class: 'tables', 'aria-label': 'Tables' }, order.map((one) => table(one, paused)));
  }

  /** @param {ClassTable} table @param {boolean} paused */
  function table({ number, match, pupils, board: lies, turn, moves, outcome }, paused) {
    const module = drawn.of(board)?.module;
    const names = pupils.map(nameOf);
    const player = (/** @type {number} */ at) => {
      const pupil = board.pupils.find((one) => one.number === pupils[at]);
      const words = outcome ? (outcome.winner === at + 1 ? '★ won' : outcome.winner ? '' : unplayed(/** @type {any} */ ({ outcome })) ? '' : 'draw')
        : pupil && !pupil.here ? 'away' : turn === at + 1 && !paused ? 'to move' : '';
      const score = module?.score(lies, at, board.view) ?? null;
      return h('li', { class: `p${at + 1}${turn === at + 1 && !outcome ? ' turn' : ''}${words === 'away' ? ' away' : ''}` },
        mark(at + 1), h('b', null, names[at]), words && h('small', null, words),
        score !== null && h('strong', null, h('span', { class: 'unseen' }, 'has '), score));
    };
    return h('li', { class: `sheet table-card${outcome ? ' done' : ''}`, 'data-id': match },
      h('h3', null, `Table ${number} `, h('small', null, [outcome ? 'done' : `move ${moves + 1}`, board.pupils.some(({ number: one, hand }) => hand && pupils.includes(one)) && 'hand up'].filter(Boolean).join(', '))),
      drawn.small(board, lies),
      h('ul', null, player(0), player(1)),
      h('button', { class: 'cover', onclick: () => ((watched = match), draw(), scrollTo(0, 0)), 'aria-label': `Watch table ${number}: ${names.join(' and ')}` }, 'Watch'));
  }

  /** What was missed most, and who is there. */
  const beside = () =>
    h('aside', { class: 'aside', 'aria-label': 'The class' },
      figures?.missed[0] && h('section', { class: 'sheet', 'aria-label': 'Most missed so far' }, h('h2', null, 'Most missed so far'), missed(figures.missed[0])),
      board.ranking !== 'none' && board.phase === 'playing' && ranking(),
      h('details', { class: 'sheet' }, h('summary', null, `Pupils (${board.pupils.length})`), h('ul', { class: 'pupils' }, board.pupils.map(pupil))),
      h('details', { class: 'sheet' }, h('summary', null, 'Your second device'),
        link('Your secret link', `class/${code}#class=${classroom}&teacher=${token}`, context, `class ${code}`),
        h('p', null, 'Keep it to yourself: whoever has it is the teacher. Late comers type ', h('b', null, code), '.')));

  /** @param {Pupil} pupil */
  const pupil = ({ number, here, table }) => {
    const name = nameOf(number);
    return h('li', { 'data-id': `pupil${number}` },
      h('span', null, h('b', null, name), ' ', h('small', null, !here ? 'away' : table ? `table ${table}` : 'here')),
      h('span', { class: 'row' },
        board.names !== 'roster' && h('button', { class: 'text', 'aria-label': `Rename ${name}`, onclick: () => rename(number, name) }, 'Rename'),
        h('button', { class: 'text', 'aria-label': `Remove ${name}`, onclick: () => confirm(`Remove ${name}?`, 'They are out of the class at once, and their seat with them.', ['Yes, remove', () => act('remove', { pupil: number })], 'No') }, 'Remove')));
  };

  /** @param {number} number @param {string} name */
  function rename(number, name) {
    const submit = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      void act('rename', { pupil: number, name: String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get('name')).trim() });
      box.close();
    };
    const box = dialog(`Rename ${name}`, h('form', { onsubmit: submit }, row(h('label', { for: 'new-name' }, 'The new name'), ...nameField({ id: 'new-name', name: 'name', value: name, required: true, autocomplete: 'off' }), h('button', { class: 'go' }, 'Rename'))));
  }

  /** A position that many got wrong, without the answer. @param {Missed} one */
  function missed({ position, after, times, wrong, choices }) {
    const module = drawn.of(position)?.module;
    return h('div', { class: 'missed' },
      drawn.small(position, position.board),
      h('p', null, h('b', null, missedWords(wrong, times)), h('br'), toMove(position)),
      // On the projector nothing gives the answer away.
      h('details', null, h('summary', null, 'Who chose what'), h('ul', null, choices.map(({ move, count, right }) => h('li', null, `${module?.written(move) ?? move}: ${count}`, right && ' ✓')))),
      board.phase !== 'over' && button('Freeze and discuss', async () => (board.paused || board.phase !== 'playing' || (await act('pause'))) && act('ask', { after }), 'go'));
  }

  /** What the class has done, before anybody is ranked. */
  function soFar() {
    if (!figures) return h('p', { class: 'sheet' }, 'Counting …');
    const { games, began_won, draws, found, of } = figures;
    return h('section', { class: 'sheet so-far', 'aria-label': 'The class so far' },
      h('h2', { tabindex: '-1' }, games ? `Who began won ${began_won} of ${many(games, 'game')}. Chance?` : 'No game is over yet.'),
      draws > 0 && h('p', null, `${many(draws, 'game')} ended in a draw.`),
      exact ? h('p', { class: 'exact' }, h('b', null, fairWords(figures.exact)), ' ', peopleWords({ people: figures.people, value: null, length: null }))
        : games > 0 && row(board.phase !== 'over' && button('Let everybody guess', () => act('ask', { guess: true }), 'go'), button('Show the exact answer', () => ((exact = true), draw()))),
      of > 0 && h('p', null, `Together you found ${found} of ${many(of, 'key moment')}.`),
      board.phase === 'between' && board.ranking !== 'none' && h('details', null, h('summary', null, 'The ranking'), ranking()));
  }

  function ranking() {
    const by = board.ranking;
    const value = (/** @type {Pupil} */ one) => (by === 'points' ? one.points : one.moments[0]);
    const sorted = [...board.pupils].sort((one, other) => value(other) - value(one));
    return h('ol', { class: 'ranking sheet', 'aria-label': by === 'points' ? 'Ranking by points' : 'Ranking by key moments found' },
      sorted.map((one) => h('li', null, h('b', null, nameOf(one.number)), ' ', by === 'points' ? pointsWords(one.points) : moments(one.moments))));
  }

  function end() {
    return h('section', { class: 'report', 'aria-label': 'The end' },
      h('h2', { tabindex: '-1' }, `What class ${code} has done`),
      soFar(),
      !report ? h('p', { class: 'sheet', role: 'status' }, 'Looking through the games …') : h('div', { class: 'sheet scroller', tabindex: '0', role: 'region', 'aria-label': 'Every pupil' }, h('table', null,
        h('thead', null, h('tr', null, ['Pupil', 'Games', 'Won', 'Key moments found', 'Answers right', 'Commonest slip'].map((words) => h('th', { scope: 'col' }, words)))),
        h('tbody', null, report.pupils.map((one) => h('tr', null,
          h('th', { scope: 'row' }, nameOf(one.number)), h('td', null, one.games), h('td', null, one.won), h('td', null, moments(one.moments)), h('td', null, moments([one.right, one.answered])),
          h('td', null, one.slip.length ? [drawn.teller(one.slip_position ?? board)?.tell(one.slip), one.slip_times > 1 && ` (${one.slip_times} times)`] : '–')))))),
      figures && figures.missed.length > 0 && h('section', { class: 'sheet', 'aria-label': 'Most often got wrong' }, h('h2', null, 'Most often got wrong'),
        h('ul', { class: 'tables' }, figures.missed.slice(0, MOST).map((one) => h('li', null, missed(one), h('p', null, drawn.teller(one.position)?.tell(one.why)))))));
  }

  function controls() {
    const { phase, paused, locked, way, round, rounds, question } = board;
    const clear = () => confirm('Remove everything now?', 'The names, the games and the answers are gone at once, for everybody.', ['Yes, remove it', () => act('erase')], 'No');
    const over = () => confirm('End the class?', 'Nobody can play on. You see what the class has done.', ['Yes, end it', () => act('end')], 'No');
    const file = (/** @type {string} */ what, /** @type {string} */ name) => () => save(`${path}/${what}`, name, token).catch((error) => context.tell(errorWords(error)));
    const flow = question
      ? [!question.uncovered && button(question.kind === 'guess' ? 'Show the exact answer' : 'Show the answers', () => act('uncover'), 'go'),
          button(paused ? 'Close it, and play on' : 'Close it', async () => (await act('close')) && paused && act('resume'), question.uncovered ? 'go' : 'button')]
      : watched
        ? [button('Back to the tables', () => ((watched = null), draw()), 'go'), button('Ask everybody about this position', () => discuss(String(watched)))]
        : phase === 'lobby' ? [button(way === 'position' ? 'Begin' : `Begin${board.pupils.length ? ` with ${board.pupils.length}` : ''}`, () => act('begin'), 'go')]
          : phase === 'over' ? [button('Print', () => print(), 'go'), button('Table for a spreadsheet (CSV)', file('report.csv', `class-${code}.csv`)),
              (figures?.missed.length ?? 0) > 0 && button('Make a worksheet of these', file('worksheet', `worksheet-${code}.html`)), button('Remove everything now', clear)]
            : [phase === 'between' && round < rounds && button(`Begin round ${round + 1} of ${rounds}`, () => act('next'), 'go'),
                phase === 'playing' && way !== 'position' && button(paused ? '▶ Play on' : '❚❚ Pause all', () => act(paused ? 'resume' : 'pause'), paused ? 'go' : 'button'),
                button('Ask everybody …', () => puzzle(), way === 'position' ? 'go' : 'button'),
                board.left !== null && button(`+ ${MORE_MINUTES} minutes`, () => act('time', { minutes: MORE_MINUTES }))];
    return h('div', { class: 'row controls', role: 'group', 'aria-label': 'What you can do' }, flow,
      phase !== 'over' && !question && !watched && button(locked ? 'Unlock' : 'Lock', () => act(locked ? 'unlock' : 'lock')),
      phase !== 'over' && !question && !watched && phase !== 'lobby' && button('End', over));
  }

  /** Put the position of a match to everybody: of one that is over, the last in which there was a choice. @param {string} match */
  async function discuss(match) {
    try {
      const { history, outcome } = /** @type {State} */ (await ask(`matches/${match}`));
      const end = outcome ? history.findLastIndex(({ player }) => player > 0) : history.length;
      if (board.phase === 'playing' && !board.paused && !(await act('pause'))) return;
      await act('ask', { after: history.slice(0, Math.max(0, end)).map(({ entry }) => entry) });
    } catch (error) {
      context.tell(errorWords(error));
    }
  }

  /** Choose a puzzle, and put it to everybody. */
  async function puzzle() {
    const { games } = await context.games();
    const place = h('div', { class: 'choose' });
    /** @type {Puzzle | null} */ let found = null;
    const show = async () => {
      found = await ask(`puzzles/new?game=${choice.value}`);
      if (found) place.replaceChildren(drawn.small(found, found.board), h('p', null, toMove(/** @type {any} */ (found)), ' ', drawn.teller(found)?.tell(found.question)));
    };
    const another = () => show().catch((error) => context.tell(errorWords(error)));
    const choice = select(games.map((one) => [one.game, one.short_title]), board.game, { id: 'puzzle-game', onchange: another });
    const put = async () => {
      box.close();
      if (found) await act('ask', { puzzle: found.id });
    };
    const box = dialog('Put a position to everybody', row(h('label', { for: 'puzzle-game' }, 'A puzzle of'), choice), place,
      row(h('button', { class: 'go', onclick: put }, 'Put it to everybody'), h('button', { class: 'button', onclick: another }, 'Another one')),
      h('p', { class: 'small' }, 'Or watch a table, and ask everybody about the position there.'));
    drawn.of(games.find((one) => one.game === choice.value) ? { ...board, game: choice.value } : board);
    void another();
  }

  const line = new NewsLine(classroom, token, {
    news: ({ board: now }) => now && hear(now),
    gone: () => {
      leave();
      gone();
    },
  });
  const leave = () => {
    left = true;
    line.close();
    countdown.leave();
    void seat.go(null);
    clearTimeout(later);
    clearTimeout(due);
  };
  countdown.set(board.left, board.paused || board.phase !== 'playing');
  draw();
  count();
  ask('qr-codes', { body: { text: outside(`class/${code}`) } }).then((found) => ((qr = /** @type {QrCode} */ (found)), soon()), () => undefined);
  return leave;
}
