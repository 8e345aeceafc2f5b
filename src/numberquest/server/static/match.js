// One match: everything that is seen while it is played. What is allowed comes from the server with each State.

import { dialog, h, morph, sentence, short } from './dom.js';
import * as keep from './keep.js';
import { ask, Connection, newKey, Trouble } from './net.js';
import { mark } from './boards/parts.js';
import { aside, link } from './aside.js';
import { ended } from './ended.js';

/** @import { About, Context } from './page.d.ts' */
/** @import { Board, Comment, Deed, Hint, Line, Seat, Seated, State } from './wire.d.ts' */
/** @typedef {{ keys: string, show: (board: any, about: About) => HTMLElement }} BoardModule */

/**
 * What the parts of the match screen share.
 * @typedef {object} Table
 * @property {string} id
 * @property {State} state
 * @property {Seat[]} seats those of this browser; none: it watches
 * @property {Context} context
 * @property {BoardModule} module
 * @property {string[]} hints the steps of the hint that were shown for this move
 * @property {boolean} more whether the hint has another step
 * @property {string} coach what the coach said last
 * @property {boolean} won whether the end came while we were looking
 * @property {(deed: Deed, seat?: Seat | null) => void} act
 * @property {() => void} hint
 * @property {() => void} draw
 */

/** @param {State} state @param {number} seat */
export const nameOf = (state, seat) => state.players[seat - 1]?.name ?? '';
/** @param {State} state @param {Line} line */
export const told = (state, line) => sentence(line.player ? `${nameOf(state, line.player)} ${line.words}` : line.words);
/** @param {string} name */
const owned = (name) => `${name}’${name.endsWith('s') ? '' : 's'}`;
/** Whose turn it is, in words. @param {Table} table */
function turnWords({ state, seats }) {
  if (state.outcome) return 'Game over';
  if (!state.turn) return 'Waiting for the other player';
  return seats.length === 1 && seats.includes(state.turn) ? 'Your turn' : `${owned(nameOf(state, state.turn))} turn`;
}
/** @param {Board} board @param {number} at @returns {number | null} */
function score(board, at) {
  if (board.game === 'fifty') return board.scores[at] ?? null;
  return board.game === 'grid' || board.game === 'mystic' ? (board.totals[at] ?? null) : null;
}

/** @param {HTMLElement} main @param {Context} context */
export async function page(main, context) {
  const id = context.url.pathname.slice(3);
  const { fragment } = context;
  const seat = fragment.get('seat');
  if (seat) keep.note(id, { token: seat });
  const first = /** @type {State} */ (await ask(`matches/${id}`));
  const invite = fragment.get('invite');
  if (invite && !keep.match(id).token) await sitDown(main, context, first, invite);
  return play(main, context, id, first);
}

/**
 * Take the seat of an invitation; a known name sits down at once.
 * @param {HTMLElement} main
 * @param {Context} context
 * @param {State} state
 * @param {string} invite
 * @returns {Promise<void>}
 */
async function sitDown(main, context, state, invite) {
  // One key for all tabs: the same link opened twice is the same seat.
  const key = keep.get(`join.${state.match}`, '') || newKey();
  keep.set(`join.${state.match}`, key);
  const join = async (/** @type {string} */ name) => {
    try {
      const seated = /** @type {Seated} */ (
        await ask(`matches/${state.match}/join`, { body: { invite, name: name || null, key } })
      );
      keep.note(state.match, { token: seated.token });
    } catch (error) {
      if (!(error instanceof Trouble) || error.code === 'offline' || error.code === 'too-many') throw error;
      context.tell(sentence(error.message));
    }
  };
  const known = keep.get('name', '');
  if (known || state.players.every((player) => player.joined)) return join(known);
  context.title('You are invited');
  await new Promise((done) => {
    const sit = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const name = String(new FormData(/** @type {HTMLFormElement} */ (event.currentTarget)).get('name')).trim();
      if (name) keep.set('name', name);
      join(name).then(done, (error) => context.tell(error.message));
    };
    const host = state.players.find((player) => player.joined)?.name;
    main.replaceChildren(
      h(
        'form',
        { class: 'sheet narrow', onsubmit: sit },
        h('h1', { tabindex: '-1' }, `${host ?? 'A friend'} invites you to play ${short(state.title)}`),
        state.changes && h('p', null, `With house rules: ${state.changes}.`),
        h('label', { for: 'name' }, 'Your name'),
        h(
          'p',
          { class: 'row' },
          h('input', {
            id: 'name',
            name: 'name',
            maxlength: 30,
            autocomplete: 'nickname',
            placeholder: 'so that they know who you are',
          }),
          h('button', { class: 'go' }, 'Sit down'),
        ),
      ),
    );
    main.querySelector('input')?.focus();
  });
  main.replaceChildren();
}

/**
 * @param {HTMLElement} main
 * @param {Context} context
 * @param {string} id
 * @param {State} first
 */
async function play(main, context, id, first) {
  const module = /** @type {BoardModule} */ (await import(`./boards/${first.game}.js`));
  const banner = /** @type {HTMLElement} */ (document.getElementById('banner'));
  const token = () => keep.match(id).token ?? null;
  let moved = '';
  /** @type {Table} */
  const table = {
    id,
    context,
    module,
    state: first,
    seats: [],
    hints: [],
    more: true,
    coach: '',
    won: false,
    draw,
    act: (deed, seat = null) => {
      if (!line.busy) line.act(table.state.ply, deed, seat);
    },
    hint: async () => {
      // A hint is an entry of the log too, so the ply says nothing about whether there was a move.
      const { ply, history } = table.state;
      try {
        const step = table.hints.length + 1;
        const hint = /** @type {Hint} */ (
          await ask(`matches/${id}/hints`, { body: { ply, step, key: newKey() }, token: token() ?? '' })
        );
        if (history.length !== table.state.history.length) return;
        table.hints.push(hint.words);
        table.more = hint.step < hint.steps;
        draw();
        context.say(hint.words);
      } catch (error) {
        context.tell(/** @type {Error} */ (error).message);
      }
    },
  };

  function draw() {
    document.title = `${turnWords(table)} – ${short(table.state.title)}`;
    const fresh = screen(table, (move) => {
      if (!line.busy) moved = line.move(table.state.ply, move);
    });
    if (main.firstElementChild) morph(main.firstElementChild, fresh);
    else main.append(fresh);
    const written = main.querySelector('.history');
    if (written) written.scrollTop = written.scrollHeight;
  }

  async function coach() {
    const about = moved;
    const comment = /** @type {Comment | null} */ (
      await ask(`matches/${id}/coach`, { token: token() ?? '' }).catch(() => null)
    );
    // A late comment would be about another move.
    if (!comment || about !== moved) return;
    table.coach = comment.words || 'That move gave nothing away.';
    draw();
    context.say(table.coach);
  }

  const line = new Connection(id, token, {
    state(state, seats, done) {
      const before = table.state;
      if (seats) table.seats = seats;
      table.state = state;
      if (state.history.length !== before.history.length) [table.hints, table.more] = [[], true];
      if (done.includes(moved)) table.coach = '';
      table.won = table.won || (!before.outcome && !!state.outcome);
      remember(table);
      draw();
      if (state.ply !== before.ply) announce(before, table);
      if (done.includes(moved) && state.opponent === 'computer' && keep.get('coach', false)) void coach();
      // Only who sees it come follows: who goes back to look at the old game may stay there.
      if (state.next && !before.next) {
        keep.note(state.next, { token: token() ?? undefined });
        context.go(`/m/${state.next}`);
      }
    },
    refused: (error) => context.tell(sentence(error)),
    lost(lost) {
      banner.textContent = lost ? 'Reconnecting…' : '';
      banner.classList.toggle('on', lost);
    },
    gone: (error) => context.tell(sentence(error)),
  });
  remember(table);
  draw();
  return () => {
    line.close();
    banner.textContent = '';
    banner.classList.remove('on');
  };
}

/** @param {Table} table */
function remember({ id, state, seats }) {
  const seen = keep.match(id);
  // The promise is kept as it was first seen, so that it cannot be changed later.
  if (state.seal && !seen.commitment) keep.note(id, { commitment: state.seal.commitment });
  if (!seats.length) return;
  const other = state.players[seats[0] === 1 ? 1 : 0];
  const against =
    state.opponent === 'screen'
      ? `${nameOf(state, 1)} and ${nameOf(state, 2)}`
      : other.joined
        ? `with ${other.name}`
        : 'your friend is not here yet';
  keep.note(id, { title: short(state.title), against, over: !!state.outcome });
}

/** @param {State} before @param {Table} table */
function announce(before, table) {
  const { state, seats, context } = table;
  const fresh = state.history.slice(before.history.length).map((line) => told(state, line));
  if (state.history.length < before.history.length) fresh.push('The last move was taken back.');
  if (state.outcome) fresh.push(sentence(state.outcome.reason));
  else if (state.turn && state.turn !== before.turn) fresh.push(`${turnWords(table)}.`);
  if (state.take_back.asked && !seats.includes(state.take_back.asked))
    fresh.push(`${nameOf(state, state.take_back.asked)} asks to take the last move back.`);
  if (fresh.length) context.say(fresh.join(' '));
}

/** @param {Table} table @param {(move: string) => void} play */
function screen(table, play) {
  const { state, seats } = table;
  const mine = state.turn !== null && seats.includes(state.turn);
  const lastMove = state.history.findLastIndex((line) => line.player > 0);
  const { round, rounds, points } = state.series;
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
        state.changes && h('span', { class: 'chip' }, `House rules: ${state.changes}`),
        state.practice && h('span', { class: 'chip' }, 'Practice'),
        rounds > 1 && h('span', { class: 'chip' }, `Round ${round} of ${rounds}, points ${points[0]}–${points[1]}`),
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
        { class: `sheet felt${mine ? ' mine' : ''}`, 'aria-label': 'Board' },
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
        state.history.length
          ? state.history
              .slice(Math.max(lastMove, 0))
              .map((line) => told(state, line))
              .join(' ')
          : 'Nothing has happened yet.',
      ),
      table.coach && h('p', { class: 'note' }, h('b', null, 'Coach: '), table.coach),
      table.hints.length > 0 &&
        h(
          'div',
          { class: 'note' },
          h('b', null, 'Hint'),
          table.hints.map((words) => h('p', null, words)),
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
  const points = score(state.board, at);
  const thinks = kind !== 'human' && turn;
  const words = state.outcome
    ? state.outcome.winner === seat
      ? '★ won'
      : 'lost'
    : !joined
      ? 'not here yet'
      : thinks
        ? 'thinking …'
        : turn
          ? seats.length === 1 && seats[0] === seat
            ? 'Your turn'
            : 'to move'
          : '';
  return h(
    'li',
    { class: `player p${seat}${turn ? ' turn' : ''}`, 'aria-current': turn ? 'true' : null },
    mark(seat),
    h('span', { class: 'who' }, h('b', null, name), seats.length === 1 && seats[0] === seat && h('small', null, 'you')),
    h('span', { class: 'words' }, turn && !thinks && h('span', { 'aria-hidden': 'true' }, '▸ '), words),
    points !== null && h('strong', { class: 'score' }, h('span', { class: 'unseen' }, 'has '), points),
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
      link('Invitation', `${location.origin}/m/${id}#invite=${invite}`, table.context, short(state.title)),
      h(
        'p',
        null,
        'The game begins as soon as it is opened. You can close this page meanwhile, and come back from the front page.',
      ),
    );
  }
  if (!seats.length)
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
  const why = backer ? '' : (refusal[(seats.find((seat) => seat !== state.turn) ?? 1) - 1] ?? '');
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
      { class: 'button', onclick: async () => (await import('./rules.js')).rules(table.context, state.game) },
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
