// One match: the connection, what comes over it, and what is sent. What is allowed comes with each State.

import { morph, sentence, short } from './dom.js';
import { sitDown } from './join.js';
import * as keep from './keep.js';
import { ask, Connection, newKey } from './net.js';
import { screen } from './screen.js';
import { nameOf, told, turnWords } from './words.js';

/** @import { BoardModule, Context, Table } from './page.d.ts' */
/** @import { Comment, Hint, State } from './wire.d.ts' */

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
    met: false,
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
    const had = main.contains(document.activeElement) && document.activeElement !== main;
    if (main.firstElementChild) morph(main.firstElementChild, fresh);
    else main.append(fresh);
    // What had the focus may be gone, such as the sign that ended the game: then it goes to what matters now.
    const next = ['.end h2', '.board button:not([aria-disabled])', 'h1'].map((one) => main.querySelector(one)).find(Boolean);
    if (had && document.activeElement === document.body && next instanceof HTMLElement) next.focus({ preventScroll: true });
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
      if (seats) [table.seats, table.met] = [seats, true];
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
