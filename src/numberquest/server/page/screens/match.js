// One match: the connection, what comes over it, and what is sent. What is allowed comes with each State.

import { boardOf, infoOf } from '../boards/boards.js';
import { HOST } from '../host.js';
import { renew, sentence, sheet } from '../parts/dom.js';
import { friend } from './friend.js';
import { sitDown } from './join.js';
import * as keep from '../parts/keep.js';
import { onlyHere } from '../parts/links.js';
import { ask, Connection, keepHere, newKey, Trouble } from '../parts/net.js';
import { covered, LOOK_AWAY, screen } from './screen.js';
import { begun } from '../parts/share.js';
import { parts, Stage } from '../parts/stages.js';
import { call, titled } from '../parts/turn.js';
import { AHEAD, unplayed, nameOf, owned, refusal, taken, teller, turnWords } from '../parts/words.js';

/** @import { Context, Shown } from '../page.d.ts' */
/** @import { Comment, Hint, Problem, Seat, State } from '../wire.d.ts' */

/** Said about what is done while the line is cut. */
const LATER = 'What you chose will be sent when the connection is back.';
/** For so long after the board has changed nothing on it can be pressed, in milliseconds: nobody has seen it yet. */
const SETTLE = 300;
/** A move that is on its way for longer than this is said to be. */
const LATE = 400;
/** What a token looks like. */
const TOKEN = /^[\w-]{32,64}$/;
const NO_SEAT = 'This link opens no seat here. Look whether it is whole.';

/** @param {HTMLElement} main @param {Context} context */
export async function page(main, context) {
  const id = context.path.slice('m/'.length);
  const { fragment } = context;
  const known = begun.get(id);
  begun.delete(id);
  const first = known?.state ?? await ask(`matches/${id}`).then(
    (state) => /** @type {State} */ (state),
    (error) => {
      if (!(error instanceof Trouble) || error.code !== 'not-found') throw error;
      return gone(main, context, id);
    },
  );
  if (!first) return undefined;
  if (first.withdrawn) return withdrawn(main, context, first, []);
  const [invite, seat] = [fragment.get('invite'), fragment.get('seat')];
  if (invite && !keep.match(id).token) await sitDown(main, context, first, invite);
  if (seat && !TOKEN.test(seat)) context.tell(NO_SEAT);
  return play(main, context, id, first, seat && TOKEN.test(seat) ? seat : null, known?.seats ?? null);
}

/**
 * A match that the server does not have, or no longer.
 * @param {HTMLElement} main
 * @param {Context} context
 * @param {string} id
 */
function gone(main, context, id) {
  const seen = keep.match(id).at !== undefined;
  // It leaves the open games of the front page.
  if (seen) keep.note(id, { over: true, gone: true });
  context.title('No such game');
  const cleared = HOST?.alone ? 'Games are found only in the browser in which they were played.' : 'Games that nobody plays any more are cleared away after a while.';
  main.replaceChildren(
    seen
      ? sheet('This game is no longer kept.', cleared)
      : sheet('There is no game at this address.', `Look whether the link is whole. ${cleared}`),
  );
  main.querySelector('h1')?.focus();
}

/**
 * An invitation that was taken back.
 * @param {HTMLElement} main
 * @param {Context} context
 * @param {State} state
 * @param {Seat[]} seats those of this browser
 */
function withdrawn(main, context, state, seats) {
  keep.remove(state.match);
  context.title('Withdrawn');
  const host = state.players.find(({ joined }) => joined)?.name ?? '';
  main.replaceChildren(
    seats.length
      ? sheet('You have withdrawn this invitation.', 'Whoever opens the link now is told so.')
      : sheet(`${host} has withdrawn this invitation.`, 'Ask for another one, or start a game yourself.'),
  );
  main.querySelector('h1')?.focus();
}

/**
 * @param {HTMLElement} main
 * @param {Context} context
 * @param {string} id
 * @param {State} first
 * @param {string | null} offered a seat's token from the address, which counts once it has opened that seat
 * @param {Seat[] | null} mine the seats that are known already
 */
async function play(main, context, id, first, offered, mine) {
  const [module, info] = await Promise.all([boardOf(first.game), infoOf(context, first)]);
  const tells = (/** @type {State} */ state) => teller(info, module, state.settings, [nameOf(state, 1), nameOf(state, 2)]);
  const banner = /** @type {HTMLElement} */ (document.getElementById('banner'));
  const token = () => (context.table ? context.table.token : offered ?? keep.match(id).token ?? null);
  let moved = '';
  let thinking = false;
  let settling = 0;
  let lateness = 0;
  let away = false;
  let left = false;
  const showLine = () => {
    banner.textContent = !away ? '' : line.busy ? `Reconnecting… ${LATER}` : 'Reconnecting…';
    banner.classList.toggle('on', away);
  };
  /** @type {Shown} */
  const shown = {
    id,
    context,
    module,
    state: first,
    teller: tells(first),
    seats: mine ?? [],
    hints: [],
    hinted: '',
    more: true,
    coach: '',
    won: false,
    met: !!mine,
    settling: false,
    sent: '',
    late: false,
    redo: [],
    ahead: false,
    away: [],
    since: Date.now(),
    patience: Infinity,
    looking: null,
    signs: {},
    resting: false,
    qr: null,
    send: (sign) => beside.send(sign),
    draw: () => left || draw(),
    play: (move) => {
      if (line.busy || shown.settling) return;
      moved = line.move(shown.state.ply, move);
      shown.sent = move;
      clearTimeout(lateness);
      lateness = window.setTimeout(() => ((shown.late = line.busy), left || draw()), LATE);
      draw();
      showLine();
    },
    act: (deed, seat = null) => {
      // What is not shown yet has happened already.
      stage.skip();
      if (line.busy) context.tell('What you chose before is still on its way.');
      else line.act(shown.state.ply, deed, seat);
      showLine();
    },
    hint: async () => {
      if (thinking) return;
      thinking = true;
      // A hint is an entry of the log too, so the ply says nothing about whether there was a move.
      const { ply, history } = shown.state;
      try {
        const step = shown.hints.length + 1;
        /** @type {Hint} */
        const hint = await ask(`matches/${id}/hints`, { body: { ply, step, key: newKey() }, token: token() ?? '' });
        if (history.length !== shown.state.history.length) return;
        // The last step is to be read line by line.
        const words = hint.step < hint.steps ? shown.teller.tell(hint.said) : hint.said.map(shown.teller.say).map(sentence).join('\n');
        shown.hints.push(words);
        // Marked on the board, where it can be seen what is meant.
        shown.hinted = String(hint.said[0]?.facts['move'] ?? shown.hinted);
        shown.more = hint.step < hint.steps;
        draw();
        uncover(main);
        context.say(words);
      } catch (error) {
        trouble(/** @type {Trouble} */ (error).problem);
      } finally {
        thinking = false;
      }
    },
  };

  /** Something was refused. @param {Problem} problem */
  const trouble = (problem) =>
    context.tell(problem.code === 'late' ? 'Something else happened first: look at the board again.' : sentence(refusal(problem, shown.teller.say)));

  /** The board has changed: a second click meant for the one before must not move on this one. */
  function settle() {
    shown.settling = true;
    clearTimeout(settling);
    settling = window.setTimeout(() => {
      shown.settling = stage.busy;
      if (!left) draw();
    }, SETTLE);
  }

  function draw() {
    document.title = titled(shown);
    const had = main.contains(document.activeElement) && document.activeElement !== main;
    renew(main, screen(shown));
    // What had the focus may be gone, such as the sign that ended the game: then it goes to what matters now.
    const next = ['.cover .go', '.end h2', '.board button:not([aria-disabled])', 'h1'].map((one) => main.querySelector(one)).find(Boolean);
    if (had && document.activeElement === document.body && next instanceof HTMLElement) next.focus({ preventScroll: true });
    const written = main.querySelector('.history');
    if (written) written.scrollTop = written.scrollHeight;
  }

  async function coach() {
    const about = moved;
    const words = await ask(`matches/${id}/coach`, { token: token() ?? '' }).then(
      (comment) => shown.teller.tell(/** @type {Comment} */ (comment).said) || 'That move gave nothing away.',
      (error) => (error instanceof Trouble && error.code === 'too-large' ? error.message : ''),
    );
    // A late comment would be about another move.
    if (!words || about !== moved) return;
    shown.coach = words;
    draw();
    context.say(words);
  }

  const stage = new Stage((state, done) => show(state, null, done));

  /** How it stands now. @param {State} state @param {Seat[] | null} seats @param {string[]} done */
  function show(state, seats, done) {
    const before = shown.state;
    if (seats && offered) {
      if (seats.length) keep.note(id, { token: offered });
      else context.tell(NO_SEAT);
      const other = !seats.length && keep.match(id).token;
      offered = null;
      if (other) return line.again();
    }
    // What stood there already when somebody came is said to them too.
    const computer = shown.met ? before.computer : null;
    if (seats) [shown.seats, shown.met] = [seats, true];
    if (state.withdrawn) return leave(), withdrawn(main, context, state, shown.seats);
    [shown.state, shown.teller] = [state, tells(state)];
    // Whoever moves is there, however they do it.
    const moves = state.history.slice(before.history.length).map(({ player }) => player);
    if (shown.away.some((one) => moves.includes(one))) beside.away(shown.away.filter((one) => !moves.includes(one)));
    if (!line.busy) [shown.sent, shown.late] = ['', false];
    const changed = state.history.length !== before.history.length;
    if (changed || state.turn !== before.turn) shown.since = Date.now();
    if (changed) [shown.hints, shown.hinted, shown.more, shown.redo] = [[], '', true, redo(before, state, shown.redo)];
    if (done.includes(moved)) shown.coach = '';
    // What was said about a move goes with it, and so does what is still to be said.
    if (state.history.length < before.history.length) [shown.coach, moved] = ['', ''];
    const over = !before.outcome && !!state.outcome;
    // Resigning is no move.
    if (over && state.outcome?.resigned) shown.coach = '';
    shown.won = shown.won || over;
    remember(shown);
    if (changed || over) settle();
    draw();
    if (over) toTheEnd(main);
    if (changed || state.ply !== before.ply || over || state.computer?.code !== computer?.code) announce({ ...before, computer }, shown);
    if (!seats) void felt(before, shown);
    call(before, shown);
    if (done.includes(moved) && state.opponent === 'computer' && state.marks && keep.get('coach', false)) void coach();
    // The seats of the next game are opened by the same tokens.
    if (state.next && shown.seats.length && !keep.match(state.next).token) keep.note(state.next, { token: token() ?? undefined });
    // Only who sees it come follows: who goes back to look at the old game may stay there.
    if (state.next && !before.next) context.go(`m/${state.next}`);
  }

  const line = new Connection(id, token, {
    state(state, seats, done) {
      if (!state.of_class) keepHere({ state });
      if (!seats) return stage.add(parts(stage.last ?? shown.state, state, done, module.between));
      stage.clear();
      show(state, seats, done);
    },
    refused: trouble,
    sign: (sign) => beside.sign(sign),
    away: (seats) => left || beside.away(seats),
    waited(waited, patience) {
      [shown.since, shown.patience] = [Date.now() - 1000 * waited, 1000 * patience];
      left || draw();
    },
    lost(lost) {
      away = lost;
      // What is not heard of any more is not claimed.
      if (lost) beside.away([]);
      showLine();
    },
    gone() {
      leave();
      gone(main, context, id);
    },
  });
  const beside = friend(shown, shown.draw, (sign) => line.sign(sign));
  const retitle = () => void (document.title = titled(shown));
  document.addEventListener('visibilitychange', retitle);
  const leave = () => {
    left = true;
    beside.leave();
    document.removeEventListener('visibilitychange', retitle);
    clearTimeout(settling);
    clearTimeout(lateness);
    stage.clear();
    line.close();
    away = false;
    showLine();
  };
  if (context.table) context.table.draw = shown.draw;
  remember(shown);
  settle();
  draw();
  // A better address for the links may come later.
  if (onlyHere()) context.games().then(() => left || draw(), () => undefined);
  return leave;
}

/** @param {Shown} shown */
function remember({ id, state, seats, teller, context }) {
  // A class remembers its games itself, and only as long as it goes on.
  if (state.of_class) return;
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
  // Whoever wants a rematch waits for it here, and finds the way back from the front page.
  const again = !!state.outcome && !state.next && state.rematch.some((seat) => seats.includes(seat));
  keep.note(id, {
    title: state.short_title,
    against: again ? `rematch ${against}?` : against,
    over: !!state.outcome && !again,
    gone: undefined,
    seat: seats.length === 1 ? seats[0] : undefined,
    level: state.opponent === 'computer' ? other.kind : state.opponent,
    practice: state.practice,
    game: state.game,
    house: !!teller.house,
    hinted: seats.some((seat) => !!state.players[seat - 1]?.hints),
    names: [nameOf(state, 1), nameOf(state, 2)],
    ...(state.secrets && { seals: { ...seen.seals, ...Object.fromEntries(state.history.flatMap(({ sealed }, at) => (sealed ? [[at, sealed]] : [])).filter(([at]) => !(String(at) in (seen.seals ?? {})))) } }),
    ...(state.outcome && !unplayed(state) && { winner: state.outcome.winner, ended: seen.ended ?? Date.now() }),
  });
}

/**
 * What can be played again: the moves that were taken back, in their order. A move of another kind ends that.
 * @param {State} before
 * @param {State} after
 * @param {string[]} kept
 */
export function redo({ history }, after, kept) {
  if (after.opponent === 'friend') return [];
  // The computer answers anew: of what was taken back, only one's own move is played again.
  if (after.history.length < history.length) return [history[after.history.length]?.entry ?? '', ...kept];
  return after.history[history.length]?.entry === kept[0] && after.opponent === 'screen' ? kept.slice(1) : [];
}

/** A hint lies over the board on a phone: the board goes up until what is pressed is in sight again. @param {HTMLElement} main */
function uncover(main) {
  const [board, over] = ['.board', '.actions'].map((one) => main.querySelector(one)?.getBoundingClientRect());
  if (board && over && over.left < board.right && over.top < board.bottom) scrollBy({ top: board.bottom - over.top });
}

/** The focus goes to what one does next, unless somebody is busy elsewhere. @param {HTMLElement} main */
function toTheEnd(main) {
  const here = document.activeElement;
  if (here && here !== document.body && here !== main && !here.closest('.felt, .deeds, .title, .end')) return;
  const next = main.querySelector('.end .go') ?? main.querySelector('.end h2');
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
}

/** Let what has happened be heard and felt. @param {State} before @param {Shown} shown */
async function felt(before, { state, seats }) {
  const fresh = state.history.slice(before.history.length);
  const over = !before.outcome && state.outcome;
  if (!fresh.length && !over) return;
  const loaded = await import('../parts/feel.js').catch(() => null);
  const winner = state.outcome?.winner;
  if (over) loaded?.feel(winner && (seats.length !== 1 || seats[0] === winner) ? 'win' : 'over');
  else loaded?.feel(fresh.every(({ player }) => player) ? 'move' : 'reveal');
}

/** @param {State} before @param {Shown} shown */
export function announce(before, shown) {
  const { state, seats, context } = shown;
  // What the one to move may hear is not for the other, who still sits there.
  if (covered(shown)) return context.say(`${turnWords(shown)}. ${LOOK_AWAY}`);
  const fresh = state.history.slice(before.history.length).map(shown.teller.line);
  const gone = before.history.slice(state.history.length).map(({ player, entry }) => `${owned(nameOf(state, player))} ${shown.module.written(entry)}`);
  if (gone.length) fresh.push(`Taken back: ${gone.join(', ')}.`);
  if (state.outcome && !before.outcome) fresh.push(sentence(shown.teller.ending(state.outcome)));
  else if (!state.outcome && state.turn && state.turn !== before.turn) fresh.push(`${turnWords(shown)}.`);
  if (state.take_back.asked && !seats.includes(state.take_back.asked))
    fresh.push(`${nameOf(state, state.take_back.asked)} wants to take back ${taken(shown, state.take_back.asked)}`);
  // That it looks ahead is said once, however often it takes long in between.
  const ahead = state.computer?.code === AHEAD;
  if (state.computer && state.computer.code !== before.computer?.code && !(ahead && shown.ahead)) fresh.push(shown.teller.say(state.computer));
  shown.ahead ||= ahead;
  if (fresh.length) context.say(fresh.join(' '));
  const no = refuser(before, shown);
  if (no) context.tell(`${nameOf(state, no)} would rather not take it back.`);
}

/** Who did not want my move taken back, if somebody was asked. @param {State} before @param {Shown} shown @returns {Seat | null} */
export function refuser(before, { state, seats }) {
  const { asked } = before.take_back;
  if (!asked || !seats.includes(asked) || state.take_back.asked || state.outcome) return null;
  const fresh = state.history.slice(before.history.length);
  // Whoever moves on instead of answering has refused too; whoever asked and moves on has changed their mind.
  const changed = state.history.length < before.history.length || fresh.some((line) => line.player === asked);
  return changed ? null : asked === 1 ? 2 : 1;
}
