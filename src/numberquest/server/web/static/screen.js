// What is seen of a match: the players, the board, and what can be done besides moving.

import { mark } from './board_parts.js';
import { dialog, h, sentence } from './dom.js';
import { ended } from './ended.js';
import * as keep from './keep.js';
import { ONLY_HERE, onlyHere } from './links.js';
import { link, sidebar } from './sidebar.js';
import { nameOf, points, resignation } from './words.js';

/** @import { Shown } from './page.d.ts' */
/** @import { Seat } from './wire.d.ts' */

/** @param {Shown} shown @param {(move: string) => void} play */
export function screen(shown, play) {
  const { state, seats, teller } = shown;
  const mine = state.turn !== null && seats.includes(state.turn);
  const lastMove = state.history.findLastIndex((line) => line.player > 0);
  const { round, rounds } = state.series;
  return h(
    'div',
    { class: 'match' },
    h(
      'div',
      { class: 'table' },
      h(
        'div',
        { class: 'title' },
        h('h1', { tabindex: '-1' }, state.short_title),
        teller.house && h('span', { class: 'chip' }, `House rules: ${teller.house}`),
        state.practice && h('span', { class: 'chip' }, 'Practice'),
        rounds > 1 && h('span', { class: 'chip' }, `Round ${round} of ${rounds}: ${points(state)}`),
      ),
      h(
        'ul',
        { class: 'players', 'aria-label': 'Players' },
        state.players.map((_, at) => player(shown, at)),
      ),
      notice(shown),
      state.outcome && ended(shown),
      h(
        'section',
        { class: `sheet felt${mine ? ' mine' : ''}`, 'aria-label': 'Board', 'aria-busy': shown.settling ? 'true' : null },
        shown.module.show({ ...state.settings, ...state.board }, {
          moves: mine ? state.moves : [],
          play: seats.length && !state.outcome ? play : undefined,
          turn: state.turn,
          names: [nameOf(state, 1), nameOf(state, 2)],
          last: state.history[lastMove] ?? null,
          view: state.view,
          drawn: state.history.slice(lastMove + 1).map(({ entry }) => entry),
        }),
      ),
      h(
        'p',
        { class: 'told' },
        resignation(shown) ||
          state.history
            .slice(Math.max(lastMove, 0))
            .map(teller.line)
            .join(' ') ||
          'Nothing has happened yet.',
      ),
      shown.coach && h('p', { class: 'note' }, h('b', null, 'Coach: '), shown.coach),
      shown.hints.length > 0 &&
        h(
          'div',
          { class: 'note' },
          h('b', null, 'Hint'),
          shown.hints.map((words) => h('p', null, words)),
        ),
      deeds(shown),
    ),
    sidebar(shown),
  );
}

/** @param {Shown} shown @param {number} at */
function player(shown, at) {
  const { state, seats } = shown;
  const seat = /** @type {Seat} */ (at + 1);
  const { name, kind, joined } = state.players[at];
  const turn = state.turn === seat;
  const has = shown.module.score(state.board, at, state.view);
  const thinks = kind !== 'human' && turn;
  const me = seats.length === 1 && seats[0] === seat;
  let words = '';
  if (state.outcome) words = state.outcome.winner ? (state.outcome.winner === seat ? '★ won' : 'lost') : 'draw';
  else if (!joined) words = 'not here yet';
  else if (thinks) words = 'thinking …';
  else if (turn) words = me ? 'Your turn' : 'to move';
  return h(
    'li',
    { class: `player p${seat}${turn ? ' turn' : ''}`, 'aria-current': turn ? 'true' : null },
    mark(seat),
    h('span', { class: 'who' }, h('b', null, name), ' ', me && h('small', null, 'you')),
    h('span', { class: 'words' }, turn && !thinks && h('span', { 'aria-hidden': 'true' }, '▸ '), words),
    has !== null && h('strong', { class: 'score' }, h('span', { class: 'unseen' }, 'has '), has),
  );
}

/** What must be said before the board. @param {Shown} shown */
function notice(shown) {
  const { id, state, seats, act } = shown;
  const { asked } = state.take_back;
  const { invite } = keep.match(id);
  if (!state.outcome && asked && state.opponent === 'friend' && seats.length && !seats.includes(asked)) {
    return h(
      'section',
      { class: 'sheet notice', 'aria-label': 'A question' },
      h('p', null, h('b', null, `${nameOf(state, asked)} asks to take the last move back.`), ' Is that all right?'),
      h(
        'p',
        { class: 'row' },
        h('button', { class: 'go', onclick: () => act('agree', seats[0]) }, 'Yes, take it back'),
        h('button', { class: 'button', onclick: () => act('refuse', seats[0]) }, 'No'),
      ),
    );
  }
  if (seats.length && invite && state.players.some((one) => !one.joined)) {
    return h(
      'section',
      { class: 'sheet notice', 'aria-label': 'Invitation' },
      h('h2', null, 'Send this link to your friend'),
      link('Invitation', `m/${id}#invite=${invite}`, shown.context, state.short_title),
      onlyHere() && h('p', null, h('b', null, ONLY_HERE)),
      h(
        'p',
        null,
        'The game begins as soon as it is opened. You can close this page meanwhile, ' +
          'and come back from the front page.',
      ),
    );
  }
  if (!seats.length && shown.met)
    return h('p', { class: 'note' }, h('b', null, 'You are watching.'), ' Only the two players can move.');
  return null;
}

/** What a player can do besides moving. @param {Shown} shown */
function deeds(shown) {
  const { state, seats, act, teller } = shown;
  if (!seats.length || state.outcome) return null;
  const { asked, refusal } = state.take_back;
  const friend = state.opponent === 'friend';
  const backer = seats.find((seat) => !refusal[seat - 1]);
  // At one screen, of whoever has moved last.
  const asker = seats.find((seat) => seat !== state.turn) ?? seats[0] ?? 1;
  const no = backer ? null : refusal[asker - 1];
  const why = no ? teller.say(no) : '';
  const waiting = asked !== null && seats.includes(asked);
  const mine = state.turn !== null && seats.includes(state.turn);
  return h(
    'div',
    { class: 'row deeds' },
    !friend &&
      h(
        'button',
        {
          class: 'button',
          'aria-disabled': mine && shown.more ? null : 'true',
          onclick: mine && shown.more ? shown.hint : null,
        },
        shown.hints.length ? 'More of the hint' : 'Hint',
      ),
    h(
      'button',
      {
        class: 'button',
        'aria-disabled': backer && !waiting ? null : 'true',
        'aria-describedby': 'why',
        title: why,
        onclick:
          backer && !waiting
            ? () => act('take-back', backer)
            : () => shown.context.tell(sentence(why || 'You have asked already')),
      },
      friend ? (waiting ? 'Asked …' : 'Ask to take back') : 'Take back',
    ),
    h('span', { class: 'unseen', id: 'why' }, why),
    h('button', { class: 'button', onclick: () => resign(shown) }, 'Resign'),
    h(
      'button',
      { class: 'button', onclick: async () => (await import('./rules.js')).rules(shown.context, state.game, teller.house) },
      'Rules',
    ),
    state.opponent === 'computer' &&
      h(
        'label',
        { class: 'switch' },
        h('input', {
          type: 'checkbox',
          role: 'switch',
          checked: keep.get('coach', false),
          onchange: (/** @type {Event} */ event) =>
            keep.set('coach', /** @type {HTMLInputElement} */ (event.target).checked),
        }),
        'Coach',
      ),
  );
}

/** @param {Shown} shown */
function resign({ state, seats, act }) {
  const who = seats.length === 2 ? state.turn : (seats[0] ?? null);
  const box = dialog(
    'Resign?',
    h('p', null, `${seats.length === 2 && who ? nameOf(state, who) : 'You'} will have lost this game.`),
    h(
      'p',
      { class: 'row' },
      h('button', { class: 'go', onclick: () => (box.close(), act('resign', who)) }, 'Yes, resign'),
      h('button', { class: 'button', onclick: () => box.close() }, 'No, play on'),
    ),
  );
}
