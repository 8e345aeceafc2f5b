// A pupil of a class: waiting, playing, answering what is put to all.

import { asked, Countdown, Drawn, NewsLine, pointsWords, Seat } from '../parts/classroom.js';
import { errorWords, h, renew, row } from '../parts/dom.js';
import { ask, Trouble } from '../parts/net.js';
import { many } from '../parts/words.js';

/** @import { Context, Table } from '../page.d.ts' */
/** @import { Kept } from './classroom.js' */
/** @import { ClassSeat, PupilAct } from '../wire.d.ts' */

/** How a game ended is seen for so long, in milliseconds, before the next one comes. */
const END_SEEN = 6000;

/**
 * @param {HTMLElement} main
 * @param {Context} context
 * @param {Kept} kept
 * @param {() => void} gone
 */
export async function learn(main, context, { code, classroom = '', token = '' }, gone) {
  const path = `classes/${classroom}`;
  const known = /** @type {ClassSeat | null} */ (await ask(`${path}/seat`, { token }).catch((error) => {
    if (error instanceof Trouble && ['not-found', 'no-seat'].includes(error.code)) return null;
    throw error;
  }));
  if (!known) return gone();
  let seat = known;
  let [left, waiting] = [false, 0];
  /** The game that is on the screen, the table it is at, and when its end was seen: it stays for a moment. */
  let [open, table, ended] = [/** @type {string | null} */ (null), /** @type {Table | undefined} */ (undefined), 0];
  const [seen, held] = [h('div'), h('div', { class: 'held' })];
  main.replaceChildren(seen, held);
  const countdown = new Countdown();
  const drawn = new Drawn(context, () => left || draw());
  const place = new Seat(held, context);

  /** @param {PupilAct} what */
  async function act(what) {
    try {
      hear(await ask(`${path}/seat`, { body: what, token }));
    } catch (error) {
      context.tell(errorWords(error));
    }
  }

  /** How it stands now. @param {ClassSeat} now */
  function hear(now) {
    if (left) return;
    const before = seat;
    seat = now;
    countdown.set(seat.left, seat.paused || seat.phase !== 'playing');
    if (seat.paused !== before.paused) context.say(seat.paused ? 'Your teacher has paused all games.' : 'The games go on.');
    if (seat.question && seat.question.number !== before.question?.number) context.say('Your teacher asks everybody.');
    if (seat.free && seat.match === open) ended ||= Date.now();
    draw();
  }

  /** What a match says of the class. @param {string} token @param {number | null} at @returns {Table} */
  const tableOf = (token, at) => ({
    token,
    paused: () => seat.paused,
    chips: () => [at && h('span', { class: 'chip' }, `Table ${at}`), seat.way === 'rounds' && h('span', { class: 'chip' }, `Round ${seat.round} of ${seat.rounds}`), countdown.place(), seat.paused && h('span', { class: 'chip on' }, '❚❚ Paused')],
    deeds: hand,
    after: () => row(seat.match === open ? h('span', { class: 'note', role: 'status' }, next()) : h('button', { class: 'go', onclick: enter }, 'To the next game')),
  });

  const hand = () => h('button', { class: 'button', 'aria-pressed': String(seat.hand), onclick: () => act({ do: seat.hand ? 'lower' : 'raise' }) }, seat.hand ? 'Hand is up' : 'Raise hand');

  /** What comes next for who has nothing to do. */
  function next() {
    if (seat.phase === 'over') return 'The class is over.';
    if (seat.phase === 'between') return `Round ${seat.round} is over. Look at the board.`;
    if (seat.way === 'rounds') return 'The next round begins when all have finished.';
    return 'The next game comes by itself, in a few seconds.';
  }

  /** Go to the game that is to be played now. */
  function enter() {
    clearTimeout(waiting);
    [open, waiting, ended] = [seat.match, 0, 0];
    table = seat.token ? tableOf(seat.token, seat.table) : undefined;
    draw();
  }

  function draw() {
    if (left) return;
    const playing = !!seat.match && !seat.question && !seat.waits && !seat.removed && ['playing', 'between'].includes(seat.phase);
    if (playing && seat.match !== open && !waiting) {
      // The next game waits until the end of the one before was seen.
      if (!open) return enter();
      waiting = window.setTimeout(enter, Math.max(0, END_SEEN - (ended ? Date.now() - ended : 0)));
    }
    held.hidden = !playing;
    renew(seen, playing ? h('div') : wait());
    void place.go(playing ? open : null, table);
    if (!playing) context.title(`Class ${code}`);
  }

  /** What is seen while one does not play. */
  function wait() {
    const { question, name, waits, removed, phase, played, points, opponent } = seat;
    if (removed) return h('div', { class: 'class' }, h('section', { class: 'sheet narrow' }, h('h1', { tabindex: '-1' }, 'This seat is no longer yours.'), h('p', null, 'Your teacher has removed it, or given it to another device. Ask your teacher.')));
    if (waits) return h('div', { class: 'class' }, h('section', { class: 'sheet narrow' }, h('h1', { tabindex: '-1' }, `${name}, ask your teacher`), h('p', { role: 'status' }, 'Your teacher sees that another device asks for your seat, and gives it to this one with one tap.')));
    const title = question ? 'Your teacher asks everybody' : phase === 'lobby' ? `You are in, ${name}.` : phase === 'over' ? 'That was it.' : phase === 'between' ? `Round ${seat.round} is over.` : seat.way === 'position' ? 'Look at the board.' : 'Somebody to play is on the way …';
    const words = question ? '' : phase === 'lobby' ? 'It begins when your teacher says so.' : phase === 'playing' && seat.way !== 'position' ? (opponent ? '' : 'If nobody is free within 15 seconds, the computer plays you.') : '';
    return h('div', { class: 'class pupil' },
      h('div', { class: 'title' }, h('h1', { tabindex: '-1' }, seat.title.split(': ').at(-1)), h('span', { class: 'chip' }, `Class ${code}`), h('span', { class: 'chip' }, name), phase === 'playing' && countdown.place()),
      question ? asked(question, drawn, context, (answer) => act({ do: 'answer', question: question.number, answer }))
        : h('section', { class: 'sheet narrow', 'aria-live': 'polite' }, h('h2', null, title), words && h('p', null, words),
            played > 0 && h('p', null, `You have played ${many(played, 'game')}: ${pointsWords(points)}.`)),
      phase !== 'over' && row(hand()));
  }

  const line = new NewsLine(classroom, token, {
    news: ({ seat: now }) => now && hear(now),
    gone: () => {
      leave();
      gone();
    },
  });
  const leave = () => {
    left = true;
    line.close();
    countdown.leave();
    clearTimeout(waiting);
    void place.go(null);
  };
  countdown.set(seat.left, seat.paused || seat.phase !== 'playing');
  draw();
  return leave;
}
