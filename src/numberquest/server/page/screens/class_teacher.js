// The teacher of a class: the lobby for the projector, all tables at once, what is put to everybody, and the end.

import { qrCode } from '../boards/pictures.js';
import { asked, attend, ofAll, pointsWords, toMove } from '../parts/classroom.js';
import { confirm, dialog, errorWords, h, mark, row, sentence } from '../parts/dom.js';
import { fairWords, peopleWords } from '../parts/fairness.js';
import { nameField, select } from '../parts/fields.js';
import { ONLY_HERE, onlyHere, outside } from '../parts/links.js';
import { ask, newKey, save } from '../parts/net.js';
import { many, typed, unplayed } from '../parts/words.js';
import { link } from './sidebar.js';

/** @import { Context } from '../page.d.ts' */
/** @import { Gone, Kept } from '../parts/classroom.js' */
/** @import { ClassBoard, ClassFigures, ClassReport, ClassTable, Missed, Pupil, Puzzle, QrCode, State, TeacherAct } from '../wire.d.ts' */

/** What the class has done so far is asked for at most once in so many milliseconds. */
const FIGURES = 4000;
/** So many of the positions most often got wrong are shown. */
const MOST = 3;
const MORE_MINUTES = 5;
const TURN = 'to move';

/** @param {HTMLElement} main @param {Context} context @param {Kept} kept @param {(what: Gone) => void} gone */
export async function teach(main, context, kept, gone) {
  const { code, classroom, roster = [] } = kept;
  /** @type {ClassFigures | null} */ let figures = null;
  /** @type {ClassReport | null} */ let report = null;
  /** @type {QrCode | null} */ let qr = null;
  /** The match that is watched. @type {string | null} */ let watched = null;
  let [exact, due] = [false, 0];
  const found = await attend('board', main, context, kept, {
    gone,
    draw: () => draw(),
    changed(now, before) {
      for (const { number, hand, device_number: device } of now.pupils) {
        const was = before.pupils.find((one) => one.number === number);
        if (hand && !was?.hand) context.say(`${nameOf(number)} raises a hand.`);
        if (device && device !== was?.device_number) context.say(`Another device asks for the seat of ${nameOf(number)}: number ${device}.`);
      }
      if (now.phase !== before.phase) [watched, exact, report] = [null, false, null];
      if (now.question) watched = null;
      if (now.played !== before.played || now.phase !== before.phase) count();
    },
  });
  if (!found) return undefined;
  const here = found;
  const { path, token, drawn } = here;
  const nameOf = (/** @type {number | null} */ number) => {
    const { pupils, names, level } = here.now;
    const pupil = pupils.find((one) => one.number === number);
    return number === null ? `the computer (${level})` : !pupil ? 'somebody' : (names === 'roster' && roster[Number(pupil.name) - 1]) || pupil.name;
  };
  const act = (/** @type {TeacherAct['do']} */ deed, /** @type {Omit<TeacherAct, 'do'>} */ more = {}) => here.act({ do: deed, key: newKey(), ...more });
  /** Put something to everybody; nobody plays meanwhile. @param {Omit<TeacherAct, 'do'>} what */
  const pose = async (what) => (here.now.paused || here.now.phase !== 'playing' || here.now.way === 'position' || (await act('pause'))) && act('ask', what);
  const button = (/** @type {string} */ words, /** @type {() => unknown} */ onclick, kind = 'button') => h('button', { class: kind, onclick }, words);

  /** Ask what the class has done so far, when some time has passed since the last time. */
  function count() {
    if (due) return;
    due = window.setTimeout(async () => {
      due = 0;
      const over = here.now.phase === 'over';
      const found = /** @type {ClassFigures & ClassReport | null} */ (await ask(`${path}/${over ? 'report' : 'figures'}`, { token }).catch(() => null));
      if (here.left) return;
      if (over && found) report = found;
      figures = (over ? found?.figures : found) ?? figures;
      if (!found || figures?.waiting) count();
      here.soon();
    }, figures ? FIGURES : 0);
  }

  function draw() {
    context.title(`Class ${code}`);
    void here.show(view(), watched);
  }

  function view() {
    const { phase, question } = here.now;
    if (watched) return h('div', { class: 'class watching' }, controls());
    return h('div', { class: 'class' },
      head(),
      phase !== 'over' && h('div', { class: 'calls' }, here.now.pupils.flatMap(call)),
      question ? asked(question, drawn, context)
        : phase === 'lobby' ? lobby()
          : phase === 'over' ? end()
            : [(phase === 'between' || here.now.paused) && soFar(), h('div', { class: 'floor' }, tables(), beside())],
      controls(),
    );
  }

  function head() {
    const { phase, round, rounds, way, paused, locked } = here.now;
    const words = phase === 'lobby' ? 'not begun' : phase === 'over' ? 'over' : phase === 'between' ? `round ${round} is over` : way === 'rounds' ? `round ${round} of ${rounds}` : '';
    return h('div', { class: 'title' },
      h('h1', { tabindex: '-1' }, here.now.short_title),
      h('span', { class: 'chip' }, 'Class ', h('b', null, code)),
      words && h('span', { class: 'chip' }, sentence(words).slice(0, -1)),
      here.time(),
      paused && h('span', { class: 'chip on' }, '❚❚ Paused'),
      locked && h('span', { class: 'chip' }, 'Locked: nobody new comes in'),
      phase !== 'lobby' && h('span', { class: 'chip' }, `${here.now.pupils.filter(({ here }) => here).length} of ${many(here.now.pupils.length, 'pupil')} here`),
    );
  }

  /** Somebody who wants something. @param {Pupil} pupil */
  const call = ({ number, hand, device_number: device }) => [
    hand && h('p', { class: 'note row sheet', 'data-id': `call${number}` },
      h('b', null, `${nameOf(number)} raises a hand.`), button('Done', () => act('lower', { pupil: number }))),
    device && h('p', { class: 'note row sheet', 'data-id': `knock${number}` },
      h('b', null, `Another device asks for the seat of ${nameOf(number)}. Is ${device} on ${nameOf(number)}'s screen?`),
      button(`Yes, give ${nameOf(number)} the seat`, () => act('reseat', { pupil: number })), button('No', () => act('refuse', { pupil: number }))),
  ];

  /** For the last row: how to come in, and who is there. */
  function lobby() {
    const address = outside('class').replace(/^https?:\/\//, '');
    return h('section', { class: 'entrance', 'aria-label': 'How to come in' },
      h('div', { class: 'sheet door' },
        h('p', null, 'Open ', h('b', { class: 'address' }, address), ' and type'),
        h('div', { class: 'code', role: 'img', 'aria-label': `The letters ${[...code].join(' ')}` }, [...code].map((letter) => h('span', { 'aria-hidden': 'true' }, letter))),
        onlyHere() && h('p', null, h('b', null, ONLY_HERE)),
        h('p', null, h('b', null, 'Names are gone tomorrow.'), ' Nobody needs an account.'),
      ),
      h('div', { class: 'sheet scan' }, qr && qrCode(qr, `QR code of class ${code}`), h('p', null, 'or point your camera here')),
      h('div', { class: 'sheet who' },
        h('h2', { tabindex: '-1' }, here.now.pupils.length ? `${here.now.pupils.length} ${here.now.pupils.length === 1 ? 'is' : 'are'} here` : 'Nobody is here yet'),
        h('ul', { class: 'names', 'aria-live': 'polite' }, here.now.pupils.map(({ number, here }) => h('li', { 'data-id': `in${number}`, class: here ? null : 'away' }, nameOf(number), !here && h('small', null, ' away'))))),
      second(),
    );
  }

  function tables() {
    const { way, paused } = here.now;
    if (!here.now.tables.length) return h('p', { class: 'sheet' }, way === 'position' ? 'Ask everybody: the button is below.' : 'Nobody plays yet. A game begins as soon as two are here.');
    const order = [...here.now.tables].sort((one, other) => Number(!!one.outcome) - Number(!!other.outcome) || one.number - other.number);
    return h('ul', { class: 'tables', 'aria-label': 'Tables' }, order.map((one) => table(one, paused)));
  }

  /** @param {ClassTable} table @param {boolean} paused */
  function table({ number, match, pupils, board: lies, turn, moves, outcome }, paused) {
    const module = drawn.of(here.now)?.module;
    const names = pupils.map(nameOf);
    const player = (/** @type {number} */ at) => {
      const pupil = here.now.pupils.find((one) => one.number === pupils[at]);
      const words = outcome ? (outcome.winner === at + 1 ? '★ won' : outcome.winner ? '' : unplayed(/** @type {any} */ ({ outcome })) ? '' : 'draw')
        : pupil && !pupil.here ? 'away' : turn === at + 1 && !paused ? TURN : '';
      const score = module?.score(lies, at, here.now.view) ?? null;
      return h('li', { class: `p${at + 1}${turn === at + 1 && !outcome ? ' turn' : ''}${words === 'away' ? ' away' : ''}` },
        mark(at + 1), h('b', null, names[at]), words && h('small', null, words === TURN ? [h('span', { 'aria-hidden': 'true' }, '▸'), h('span', { class: 'unseen' }, words)] : words),
        score !== null && h('strong', null, h('span', { class: 'unseen' }, 'has '), score));
    };
    return h('li', { class: `sheet table-card${outcome ? ' done' : ''}`, 'data-id': match },
      h('h2', null, `Table ${number} `, h('small', null, here.now.pupils.some(({ number: one, hand }) => hand && pupils.includes(one)) ? 'hand up' : outcome ? 'done' : `move ${moves + 1}`)),
      drawn.small(here.now, lies),
      h('ul', null, player(0), player(1)),
      h('button', { class: 'cover', onclick: () => ((watched = match), draw(), scrollTo(0, 0)), 'aria-label': `Watch table ${number}: ${names.join(' and ')}` }));
  }

  /** What was missed most, and who is there. */
  const beside = () =>
    h('aside', { class: 'aside', 'aria-label': 'The class' },
      figures?.missed[0] && h('section', { class: 'sheet', 'aria-label': 'Most missed so far' }, h('h2', null, 'Most missed so far'), missed(figures.missed[0])),
      here.now.ranking !== 'none' && h('details', { class: 'sheet' }, h('summary', null, 'The ranking'), ranking()),
      h('details', { class: 'sheet' }, h('summary', null, `Pupils (${here.now.pupils.length})`), h('ul', { class: 'pupils' }, here.now.pupils.map(pupil))),
      second());

  const second = () =>
    h('details', { class: 'sheet' }, h('summary', null, 'Your second device'),
      link('Your secret link', `class/${code}#class=${classroom}&teacher=${token}`, context, `class ${code}`),
      h('p', null, 'Keep it to yourself: whoever has it is the teacher.'));

  /** @param {Pupil} pupil */
  const pupil = ({ number, here: reads, table }) => {
    const name = nameOf(number);
    return h('li', { 'data-id': `pupil${number}` },
      h('span', null, h('b', null, name), ' ', h('small', null, !reads ? 'away' : table ? `table ${table}` : 'here')),
      h('span', { class: 'row' },
        here.now.names !== 'roster' && h('button', { class: 'text', 'aria-label': `Rename ${name}`, onclick: () => rename(number, name) }, 'Rename'),
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
      h('p', null, h('b', null, `${wrong} of ${many(times, 'answer')} ${wrong === 1 ? 'was' : 'were'} a mistake`), h('br'), toMove(position)),
      // On the projector nothing gives the answer away.
      h('details', null, h('summary', null, 'Who chose what'), h('ul', null, choices.map(({ move, count, right }) => h('li', null, `${module?.written(move) ?? move}: ${count}`, right && ' ✓')))),
      here.now.phase !== 'over' && button('Freeze and discuss', () => pose({ after }), 'go'));
  }

  /** What the class has done, before anybody is ranked. */
  function soFar() {
    if (!figures) return h('p', { class: 'sheet' }, 'Counting …');
    const { games, began_won, draws, found, of } = figures;
    return h('section', { class: 'sheet so-far', 'aria-label': 'The class so far' },
      h('h2', { tabindex: '-1' }, games ? `Who began won ${began_won} of ${many(games, 'game')}. Chance?` : 'No game is over yet.'),
      draws > 0 && h('p', null, `${many(draws, 'game')} ended in a draw.`),
      exact ? h('p', { class: 'exact' }, h('b', null, fairWords(figures.exact)), ' ', peopleWords({ people: figures.people, value: null, length: null }))
        : games > 0 && row(here.now.phase !== 'over' && button('Let everybody guess', () => act('ask', { guess: true }), 'go'), button('Show the exact answer', () => ((exact = true), draw()))),
      of > 0 && h('p', null, `Together you found ${found} of ${many(of, 'key moment')}.`));
  }

  function ranking() {
    const by = here.now.ranking;
    const value = (/** @type {Pupil} */ one) => (by === 'points' ? one.points : one.moments[0]);
    const sorted = [...here.now.pupils].sort((one, other) => value(other) - value(one));
    return h('ol', { class: 'ranking', 'aria-label': by === 'points' ? 'Ranking by points' : 'Ranking by key moments found' },
      sorted.map((one) => h('li', null, h('b', null, nameOf(one.number)), ' ', by === 'points' ? pointsWords(one.points) : ofAll(one.moments))));
  }

  function end() {
    return h('section', { class: 'report', 'aria-label': 'The end' },
      h('h2', { tabindex: '-1' }, `What class ${code} has done`),
      soFar(),
      !report ? h('p', { class: 'sheet', role: 'status' }, 'Looking through the games …') : h('div', { class: 'sheet scroller', tabindex: '0', role: 'region', 'aria-label': 'Every pupil' }, h('table', null,
        h('thead', null, h('tr', null, ['Pupil', 'Games', 'Won', 'Key moments found', 'Answers right', 'Commonest slip'].map((words) => h('th', { scope: 'col' }, words)))),
        h('tbody', null, report.pupils.map((one) => h('tr', null,
          h('th', { scope: 'row' }, nameOf(one.number)), h('td', null, one.games), h('td', null, one.won), h('td', null, ofAll(one.moments)), h('td', null, ofAll([one.right, one.answered])),
          h('td', null, one.slip.length ? [drawn.teller(one.slip_position ?? here.now)?.tell(one.slip), one.slip_times > 1 && ` (${one.slip_times} times)`] : '–')))))),
      figures && figures.missed.length > 0 && h('section', { class: 'sheet', 'aria-label': 'Most often got wrong' }, h('h2', null, 'Most often got wrong'),
        h('ul', { class: 'tables' }, figures.missed.slice(0, MOST).map((one) => h('li', null, missed(one), h('p', null, drawn.teller(one.position)?.tell(one.why)))))));
  }

  /** The table with the names of the list, which only this browser has; no spreadsheet takes one for a formula. @param {string} text */
  const listed = (text) => text.replace(/^(\d+),(\d+),/gm, (line, number, place) => {
    const name = roster[place - 1];
    return name ? `${number},"${name.replace(/^[=+@\t-]/, "'$&").replaceAll('"', '""')}",` : line;
  });

  function controls() {
    const { phase, paused, locked, way, round, rounds, question, names } = here.now;
    const clear = () => confirm('Remove everything now?', 'The names, the games and the answers are gone at once, for everybody.', ['Yes, remove it', () => act('erase')], 'No');
    const over = () => confirm('End the class?', 'Nobody can play on. You see what the class has done.', ['Yes, end it', () => act('end')], 'No');
    const file = (/** @type {string} */ what, /** @type {string} */ name, /** @type {(text: string) => string} */ put = String) => () => save(`${path}/${what}`, name, token, put).catch((error) => context.tell(errorWords(error)));
    // Of a position of this class's game also those before it can be asked about; a puzzle is as it is.
    const at = question?.position;
    const cut = at && typed(at.settings) === typed(here.now.settings) && at.game === here.now.game ? at.history.findLastIndex(({ player }) => player > 0) : -1;
    const earlier = at && !question.uncovered && cut >= 0 ? at.history.slice(0, cut).map(({ entry }) => entry) : null;
    const flow = question
      ? [!question.uncovered && button(question.kind === 'guess' ? 'Show the exact answer' : 'Show the answers', () => act('uncover'), 'go'),
          earlier && button('One move earlier', () => act('ask', { after: earlier })),
          button(paused ? 'Close it, and play on' : 'Close it', async () => (await act('close')) && paused && act('resume'), question.uncovered ? 'go' : 'button')]
      : watched
        ? [button('Back to the tables', () => ((watched = null), draw()), 'go'), button('Ask everybody about this position', () => discuss(String(watched)))]
        : phase === 'lobby' ? [button(way === 'position' ? 'Begin' : `Begin${here.now.pupils.length ? ` with ${here.now.pupils.length}` : ''}`, () => act('begin'), 'go')]
          : phase === 'over' ? [button('Print', () => print(), 'go'), button('Table for a spreadsheet (CSV)', file('report.csv', `class-${code}.csv`, names === 'roster' ? listed : String)),
              (figures?.missed.length ?? 0) > 0 && button('Make a worksheet of these', file('worksheet', `worksheet-${code}.html`)), button('Remove everything now', clear)]
            : [phase === 'between' && round < rounds && button(`Begin round ${round + 1} of ${rounds}`, () => act('next'), 'go'),
                phase === 'playing' && way !== 'position' && button(paused ? '▶ Play on' : '❚❚ Pause all', () => act(paused ? 'resume' : 'pause'), paused ? 'go' : 'button'),
                button('Ask everybody …', () => puzzle(), way === 'position' ? 'go' : 'button'),
                here.now.left !== null && button(`+ ${MORE_MINUTES} minutes`, () => act('time', { minutes: MORE_MINUTES }))];
    return h('div', { class: 'row controls', role: 'group', 'aria-label': 'What you can do' }, flow,
      phase !== 'over' && !question && !watched && button(locked ? 'Unlock' : 'Lock', () => act(locked ? 'unlock' : 'lock')),
      phase !== 'over' && !question && !watched && phase !== 'lobby' && button('End', over));
  }

  /** Put the position of a match to everybody: of one that is over, the last in which there was a choice. @param {string} match */
  async function discuss(match) {
    try {
      const { history, outcome } = /** @type {State} */ (await ask(`matches/${match}`));
      const end = outcome ? history.findLastIndex(({ player }) => player > 0) : history.length;
      await pose({ after: history.slice(0, Math.max(0, end)).map(({ entry }) => entry) });
    } catch (error) {
      context.tell(errorWords(error));
    }
  }

  /** Choose a puzzle, and put it to everybody. */
  async function puzzle() {
    const { games } = await context.games();
    const place = h('div', { class: 'choose' });
    /** @type {Puzzle | null} */ let found = null;
    const another = async () => {
      const wanted = choice.value;
      found = null;
      place.replaceChildren(h('p', { role: 'status' }, 'Looking for a puzzle …'));
      try {
        const one = /** @type {Puzzle} */ (await ask(`puzzles/new?game=${wanted}`));
        await drawn.load(one);
        if (wanted !== choice.value) return;
        found = one;
        place.replaceChildren(drawn.small(one, one.board), h('p', null, toMove(one), ' ', drawn.teller(one)?.tell(one.question)));
      } catch (error) {
        place.replaceChildren(h('p', { role: 'status' }, errorWords(error)));
      }
    };
    const choice = select(games.map((one) => [one.game, one.short_title]), here.now.game, { id: 'puzzle-game', onchange: another });
    const put = () => found && (box.close(), pose({ puzzle: found.id }));
    const box = dialog('Put a position to everybody', row(h('label', { for: 'puzzle-game' }, 'A puzzle of'), choice), place,
      row(h('button', { class: 'go', onclick: put }, 'Put it to everybody'), h('button', { class: 'button', onclick: another }, 'Another one')),
      h('p', { class: 'small' }, 'Or watch a table, and ask everybody about the position there.'));
    void another();
  }

  draw();
  count();
  // Only then it is known where others open the page.
  context.games().catch(() => null).then(() => ask('qr-codes', { body: { text: outside(`class/${code}`) } })).then((found) => ((qr = /** @type {QrCode} */ (found)), here.soon()), () => undefined);
  return () => (clearTimeout(due), here.leave());
}
