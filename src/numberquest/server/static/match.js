// One match: the connection, what comes over it, and what is sent. What is allowed comes with each State.

import { morph, sentence, sheet, short } from './dom.js';
import { sitDown } from './join.js';
import * as keep from './keep.js';
import { onlyHere } from './links.js';
import { ask, Connection, newKey, Trouble } from './net.js';
import { screen } from './screen.js';
import { nameOf, told, turnWords } from './words.js';

/** @import { BoardModule, Context, Table } from './page.d.ts' */
/** @import { Comment, Hint, Seat, State } from './wire.d.ts' */

/** Said about what is done while the line is cut. */
const LATER = 'What you chose will be sent when the connection is back.';

/** @param {HTMLElement} main @param {Context} context */
export async function page(main, context) {
  const id = context.url.pathname.slice(3);
  const { fragment } = context;
  const seat = fragment.get('seat');
  if (seat) keep.note(id, { token: seat });
  const first = await ask(`matches/${id}`).then(
    (state) => /** @type {State} */ (state),
    (error) => {
      if (!(error instanceof Trouble) || error.code !== 'not-found') throw error;
      return gone(main, context, id);
    },
  );
  if (!first) return undefined;
  const invite = fragment.get('invite');
  if (invite && !keep.match(id).token) await sitDown(main, context, first, invite);
  return play(main, context, id, first);
}

/**
 * A match that the server does not have, or no longer.
 * @param {HTMLElement} main
 * @param {Context} context
 * @param {string} id
 */
function gone(main, context, id) {
  // It leaves the open games of the front page.
  if (keep.match(id).at !== undefined) keep.note(id, { over: true });
  context.title('Game not kept');
  main.replaceChildren(
    sheet('This game is no longer kept.', 'Games that nobody plays any more are cleared away after a while.'),
  );
  main.querySelector('h1')?.focus();
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
  let away = false;
  let left = false;
  const showLine = () => {
    banner.textContent = !away ? '' : line.busy ? `Reconnecting… ${LATER}` : 'Reconnecting…';
    banner.classList.toggle('on', away);
  };
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
      showLine();
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
      showLine();
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
      // What was said about a move goes with it, and so does what is still to be said.
      if (state.history.length < before.history.length) [table.coach, moved] = ['', ''];
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
      away = lost;
      showLine();
    },
    gone() {
      leave();
      gone(main, context, id);
    },
  });
  const leave = () => {
    left = true;
    line.close();
    away = false;
    showLine();
  };
  remember(table);
  draw();
  // A better address for the links may come later.
  if (onlyHere()) context.games().then(() => left || draw(), () => undefined);
  return leave;
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
  const no = refuser(before, table);
  if (no) context.tell(`${nameOf(state, no)} would rather not take it back.`);
}

/** Who did not want my move taken back, if somebody was asked. @param {State} before @param {Table} table @returns {Seat | null} */
function refuser(before, { state, seats }) {
  const { asked } = before.take_back;
  if (!asked || !seats.includes(asked) || state.take_back.asked || state.outcome) return null;
  const fresh = state.history.slice(before.history.length);
  // Whoever moves on instead of answering has refused too; whoever asked and moves on has changed their mind.
  const changed = state.history.length < before.history.length || fresh.some((line) => line.player === asked);
  return changed ? null : asked === 1 ? 2 : 1;
}
