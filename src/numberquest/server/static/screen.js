// What is seen of a match: the players, the board, and what can be done besides moving.

import { aside, link } from './aside.js';
import { mark } from './boards/parts.js';
import { dialog, h, sentence, short } from './dom.js';
import { ended } from './ended.js';
import * as keep from './keep.js';
import { ONLY_HERE, onlyHere } from './links.js';
import { nameOf, points, resignation, told, written } from './words.js';

/** @import { Table } from './page.d.ts' */
/** @import { Board, Seat } from './wire.d.ts' */

/** @param {Table} table @param {(move: string) => void} play */
export function screen(table, play) {
  const { state, seats } = table;
  const mine = state.turn !== null && seats.includes(state.turn);
  const lastMove = state.history.findLastIndex((line) => line.player > 0);
  const { round, rounds } = state.series;
  return h(
    'div',
    { class: `match ${state.game}` },
    h(
      'div',
      { class: 'table' },
      h(
        'div',
        { class: 'title' },
        h('h1', { tabindex: '-1' }, short(state.title)),
        state.house_rules && h('span', { class: 'chip' }, `House rules: ${state.house_rules}`),
        state.practice && h('span', { class: 'chip' }, 'Practice'),
        rounds > 1 && h('span', { class: 'chip' }, `Round ${round} of ${rounds}: ${points(state)}`),
      ),
      h(
        'ul',
        { class: 'players', 'aria-label': 'Players' },
        state.players.map((_, at) => player(table, at)),
      ),
      notice(table),
      state.outcome && ended(table),
      h(
        'section',
        { class: `sheet felt${mine ? ' mine' : ''}`, 'aria-label': 'Board', 'aria-busy': table.settling ? 'true' : null },
        table.module.show(state.board, {
          moves: mine ? state.moves : [],
          play: seats.length && !state.outcome ? play : undefined,
          turn: state.turn,
          names: [nameOf(state, 1), nameOf(state, 2)],
          last: state.history[lastMove] ?? null,
        }),
      ),
      h(
        'p',
        { class: 'told' },
        resignation(state) ||
          state.history
            .slice(Math.max(lastMove, 0))
            .map((line) => told(state, line))
            .join(' ') ||
          'Nothing has happened yet.',
      ),
      table.coach && h('p', { class: 'note' }, h('b', null, 'Coach: '), written(state.game, table.coach)),
      table.hints.length > 0 &&
        h(
          'div',
          { class: 'note' },
          h('b', null, 'Hint'),
          table.hints.map((words) => h('p', null, written(state.game, words))),
        ),
      deeds(table),
    ),
    aside(table),
  );
}

/** @param {Table} table @param {number} at */
function player(table, at) {
  const { state, seats } = table;
  const seat = /** @type {Seat} */ (at + 1);
  const { name, kind, joined } = state.players[at];
  const turn = state.turn === seat;
  const has = score(state.board, at);
  const thinks = kind !== 'human' && turn;
  const me = seats.length === 1 && seats[0] === seat;
  let words = '';
  if (state.outcome) words = state.outcome.winner === seat ? '★ won' : 'lost';
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

/** What must be said before the board. @param {Table} table */
function notice(table) {
  const { id, state, seats, act } = table;
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
      link('Invitation', `/m/${id}#invite=${invite}`, table.context, short(state.title)),
      onlyHere() && h('p', null, h('b', null, ONLY_HERE)),
      h(
        'p',
        null,
        'The game begins as soon as it is opened. You can close this page meanwhile, ' +
          'and come back from the front page.',
      ),
    );
  }
  if (!seats.length && table.met)
    return h('p', { class: 'note' }, h('b', null, 'You are watching.'), ' Only the two players can move.');
  return null;
}

/** What a player can do besides moving. @param {Table} table */
function deeds(table) {
  const { state, seats, act } = table;
  if (!seats.length || state.outcome) return null;
  const { asked, refusal } = state.take_back;
  const friend = state.opponent === 'friend';
  const backer = seats.find((seat) => !refusal[seat - 1]);
  // At one screen, of whoever has moved last.
  const asker = seats.find((seat) => seat !== state.turn) ?? seats[0] ?? 1;
  const why = backer ? '' : (refusal[asker - 1] ?? '');
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
          'aria-disabled': mine && table.more ? null : 'true',
          onclick: mine && table.more ? table.hint : null,
        },
        table.hints.length ? 'More of the hint' : 'Hint',
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
            : () => table.context.tell(sentence(why || 'You have asked already')),
      },
      friend ? (waiting ? 'Asked …' : 'Ask to take back') : 'Take back',
    ),
    h('span', { class: 'unseen', id: 'why' }, why),
    h('button', { class: 'button', onclick: () => resign(table) }, 'Resign'),
    h(
      'button',
      { class: 'button', onclick: async () => (await import('./rules.js')).rules(table.context, state.game, state.house_rules) },
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

/** @param {Table} table */
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

/** @param {Board} board @param {number} at @returns {number | null} */
function score(board, at) {
  if (board.game === 'fifty') return board.scores[at] ?? null;
  return board.game === 'grid' || board.game === 'mystic' ? (board.totals[at] ?? null) : null;
}
