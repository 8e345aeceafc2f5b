// With a friend: whether they are away, and the signs that two who play each other can send.

import { confirm, h, row } from '../parts/dom.js';
import * as keep from '../parts/keep.js';
import { copied, outside } from '../parts/links.js';
import { nameOf } from '../parts/words.js';

/** @import { Shown } from '../page.d.ts' */
/** @import { Seat, Sign, SignName, State } from '../wire.d.ts' */

/** What can be sent: a sign, and words, for not every device has the sign and not everybody sees it. @type {Record<SignName, [string, string]>} */
const SIGNS = { 'thumbs-up': ['👍', 'Nice'], clap: ['👏', 'Bravo'], wow: ['😮', 'Wow'] };
/** For so long a sign is seen, in milliseconds. */
const SEEN = 5000;
/** The server takes no more than one in this time. */
const PAUSE = 1600;
const MINUTE = 60000;

/** Whether two friends play each other here. @param {State} state */
const friends = (state) => state.opponent === 'friend' && state.players.every(({ joined }) => joined);

/**
 * What comes besides the game, and what is sent.
 * @param {Shown} shown
 * @param {() => void} draw
 * @param {(sign: SignName) => boolean} send whether it could be sent
 */
export function friend(shown, draw, send) {
  const { context } = shown;
  /** @type {number[]} */
  const timers = [];
  /** @param {Sign} sign */
  function sign({ seat, sign: name }) {
    if (!SIGNS[name]) return;
    shown.signs[seat] = name;
    clearTimeout(timers[seat]);
    timers[seat] = window.setTimeout(() => (delete shown.signs[seat], draw()), SEEN);
    draw();
    if (!shown.seats.includes(seat)) context.say(`${nameOf(shown.state, seat)}: ${SIGNS[name][1]}!`);
  }
  // What is told of a friend who stays away depends on the time.
  const clock = window.setInterval(() => !shown.state.outcome && friends(shown.state) && draw(), MINUTE);
  return {
    sign,
    /** Who is away now, as far as that is known. @param {Seat[]} seats */
    away(seats) {
      const before = shown.away;
      // Of oneself one knows better: another server may not have heard of it yet.
      shown.away = seats.filter((seat) => !shown.seats.includes(seat));
      if (String(before) === String(shown.away)) return;
      draw();
      for (const seat of /** @type {Seat[]} */ ([1, 2]))
        if (before.includes(seat) !== shown.away.includes(seat))
          context.say(`${nameOf(shown.state, seat)} is ${shown.away.includes(seat) ? 'away' : 'back'}.`);
    },
    /** @param {SignName} name */
    send(name) {
      const [seat] = shown.seats;
      if (!seat || shown.resting || !send(name)) return;
      shown.resting = true;
      timers[0] = window.setTimeout(() => ((shown.resting = false), draw()), PAUSE);
      sign({ type: 'sign', seat, sign: name });
    },
    leave: () => (clearInterval(clock), timers.forEach(clearTimeout)),
  };
}

/** The sign that a player shows now. @param {Shown} shown @param {Seat} seat */
export function shows({ signs, state }, seat) {
  const sign = signs[seat];
  return sign && h('span', { class: 'sign', role: 'img', 'aria-label': `${nameOf(state, seat)}: ${SIGNS[sign][1]}!` }, SIGNS[sign].join(' '));
}

/** The signs to choose from. @param {Shown} shown */
export function signs({ state, seats, resting, send }) {
  const [me] = seats;
  if (seats.length !== 1 || !me || !friends(state)) return null;
  return h('div', { class: 'row signs', role: 'group', 'aria-label': `A sign for ${nameOf(state, 3 - me)}` },
    Object.entries(SIGNS).map(([name, [sign, words]]) =>
      h(
        'button',
        { class: 'button', 'aria-disabled': resting ? 'true' : null, onclick: () => send(/** @type {SignName} */ (name)) },
        h('span', { 'aria-hidden': 'true' }, `${sign} `),
        words,
      ),
    ),
  );
}

/**
 * What one can do about a friend who has gone: remind them, and after a while end the game without a result. Both are told beforehand.
 * @param {Shown} shown
 */
export function reminder({ id, state, seats, away, since, patience, context, act }) {
  const [me] = seats;
  if (seats.length !== 1 || !me || state.outcome || context.table || !friends(state)) return null;
  const friend = nameOf(state, 3 - me);
  const gone = away.includes(/** @type {Seat} */ (3 - me));
  const [waited, end] = [Date.now() - since, new Date(since + patience)];
  // Told when half of the time is over, and at once of somebody who is away.
  const late = patience < Infinity && waited >= patience / 2;
  if (!gone && !late) return null;
  const time = patience < Infinity && end.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const words = state.turn === me
    ? late && `If you do not move by ${time}, ${friend} can end this game without a result.`
    : waited >= patience ? `${friend} has not moved for a long time: you can end this game without a result.`
      : time && `If ${friend} does not move by ${time}, you can end this game without a result.`;
  if (!gone && state.turn === me) return h('p', { class: 'note' }, words);
  const text = `${state.turn === me ? 'I am waiting for you' : 'It is your turn'} in ${state.short_title}: ${outside(`m/${id}`)}`;
  const remind = async () =>
    'share' in navigator ? void navigator.share({ text }).catch(() => undefined)
      : context.tell((await copied(text, null)) ? 'A reminder is copied: paste it where your friend reads it.' : text);
  const leave = () => (keep.note(id, { over: true }), context.go('./'));
  const over = () => confirm('End this game without a result?', `Nobody wins. ${friend} is told so, and cannot play on.`, ['Yes, end it', () => act('end', me)], 'No, wait');
  return h('section', { class: 'note', 'aria-label': gone ? `${friend} is away` : `Waiting for ${friend}` },
    h('p', null, gone && `${friend} is away. `, words),
    row(h('button', { class: 'button', onclick: remind }, `Remind ${friend}`),
      h('button', { class: 'button', onclick: () => confirm('Put this game away?', `It leaves your open games without a result. Whoever opens its link can still play on.`, ['Yes, put it away', leave], 'No') }, 'Put away'),
      state.turn !== me && waited >= patience && h('button', { class: 'button', onclick: over }, 'End without result')),
  );
}
