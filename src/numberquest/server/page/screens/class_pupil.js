// A pupil of a class: waiting, playing, answering what is put to all.

import { asked, attend, pointsWords } from '../parts/classroom.js';
import { h, row } from '../parts/dom.js';
import { many } from '../parts/words.js';

/** @import { Context, Table } from '../page.d.ts' */
/** @import { Gone, Kept } from '../parts/classroom.js' */

/** How a game ended is seen for so long, in milliseconds, before the next one comes. */
const END_SEEN = 6000;

/** @param {HTMLElement} main @param {Context} context @param {Kept} kept @param {(what: Gone) => void} gone */
export async function learn(main, context, kept, gone) {
  /** The game that is on the screen, the table it is at, when its end was seen, and what waits for that. */
  let [open, table, ended, waiting] = [/** @type {string | null} */ (null), /** @type {Table | undefined} */ (undefined), 0, 0];
  const found = await attend('seat', main, context, kept, {
    gone,
    draw: () => draw(),
    changed(now, before) {
      if (now.paused !== before.paused) context.say(now.paused ? 'Your teacher has paused all games.' : 'The games go on.');
      if (now.question && now.question.number !== before.question?.number) context.say('Your teacher asks everybody.');
      if (now.free && now.match === open) ended ||= Date.now();
    },
  });
  if (!found) return undefined;
  const here = found;
  const { act } = here;

  const hand = () => h('button', { class: 'button', 'aria-pressed': String(here.now.hand), onclick: () => act({ do: here.now.hand ? 'lower' : 'raise' }) }, here.now.hand ? 'Hand is up' : 'Raise hand');

  /** What a match says of the class. @param {string} token @param {number | null} at @returns {Table} */
  const tableOf = (token, at) => ({
    token,
    hints: here.now.hints,
    paused: () => here.now.paused,
    chips: () => [at && h('span', { class: 'chip' }, `Table ${at}`), here.now.way === 'rounds' && h('span', { class: 'chip' }, `Round ${here.now.round} of ${here.now.rounds}`),
      here.time(), here.now.paused && h('span', { class: 'chip on' }, '❚❚ Paused')],
    deeds: hand,
    after: () => row(here.now.match === open ? h('span', { class: 'note', role: 'status' }, next()) : h('button', { class: 'go', onclick: enter }, 'To the next game')),
  });

  /** What comes next for who has nothing to do. */
  function next() {
    const { phase, round, way } = here.now;
    if (phase === 'between') return `Round ${round} is over. Look at the board.`;
    return way === 'rounds' ? 'The next round begins when all have finished.' : 'The next game comes by itself, in a few seconds.';
  }

  /** Go to the game that is to be played now. */
  function enter() {
    clearTimeout(waiting);
    [open, waiting, ended] = [here.now.match, 0, 0];
    table = here.now.token ? tableOf(here.now.token, here.now.table) : undefined;
    draw();
  }

  function draw() {
    const { match, question, waits, removed, phase, free } = here.now;
    // A game that is over is seen by who has played it here; whoever comes later waits for the next one.
    const playing = !!match && !question && !waits && !removed && (phase === 'playing' ? !free || match === open : phase === 'between' && match === open);
    if (playing && match !== open && !waiting) {
      // The next game waits until the end of the one before was seen.
      if (!open) return enter();
      waiting = window.setTimeout(() => here.left || enter(), Math.max(0, END_SEEN - (ended ? Date.now() - ended : 0)));
    }
    if (!playing) context.title(`Class ${kept.code}`);
    table?.draw?.();
    void here.show(playing ? h('div') : wait(), playing ? open : null, table);
  }

  /** A sheet with what there is to say. @param {string} title @param {...(string | false)} words */
  const told = (title, ...words) => h('section', { class: 'sheet narrow', 'aria-live': 'polite' }, h('h2', { tabindex: '-1' }, title), words.map((one) => one && h('p', null, one)));

  /** What is seen while one does not play. */
  function wait() {
    const { question, name, names, waits, device_number: device, removed, phase, way, round, played, points } = here.now;
    const drawn = names === 'animals' && !played && 'Everybody here is called by the name of an animal. If you typed a name, it is not kept.';
    const so = played > 0 && `You have played ${many(played, 'game')}: ${pointsWords(points)}.`;
    return h('div', { class: 'class pupil' },
      h('div', { class: 'title' }, h('h1', { tabindex: '-1' }, `Class ${kept.code}`), h('span', { class: 'chip' }, name), here.time()),
      removed ? told('You are no longer in this class.', 'Your teacher has taken you out of it. Ask your teacher.')
        : waits ? told(`${name}, show your teacher this number: ${device}`, 'Your teacher sees the same number, and gives your seat to this device with one tap.')
          : question ? asked(question, here.drawn, context, (answer) => act({ do: 'answer', question: question.number, answer }))
            : phase === 'lobby' ? told(`You are in, ${name}.`, drawn, 'It begins when your teacher says so.')
              : phase === 'over' ? told('That was it.', so)
                : phase === 'between' ? told(`Round ${round} is over.`, 'Look at the board.', so)
                  : way === 'position' ? told('Look at the board.')
                    : way === 'rounds' ? told('The next round begins soon.', 'Who comes late plays the computer until then.', drawn, so)
                      : told('Somebody to play is on the way …', 'If nobody is free within 15 seconds, the computer plays you.', drawn, so),
      !removed && !waits && phase !== 'over' && row(hand(), h('button', { class: 'button', onclick: async () => (await import('./rules.js')).rules(context, here.now.game, here.now.settings) }, 'Rules')));
  }

  draw();
  return () => (clearTimeout(waiting), here.leave());
}
