// What is seen of a match: the players, the board, and what can be done besides moving.

import { fileName, sinceMove } from '../boards/boards.js';
import { qrCode } from '../boards/pictures.js';
import { confetti, confirm, errorWords, h, mark, row, sentence } from '../parts/dom.js';
import { toggle } from '../parts/fields.js';
import { reminder, shows, signs } from './friend.js';
import * as keep from '../parts/keep.js';
import { ONLY_HERE, onlyHere, outside } from '../parts/links.js';
import { ask } from '../parts/net.js';
import { link, sidebar } from './sidebar.js';
import { callSwitch } from '../parts/turn.js';
import { NAMES, nameOf, points, resignation, taken, unplayed, waits } from '../parts/words.js';

/** @import { Shown } from '../page.d.ts' */
/** @import { Seat, State } from '../wire.d.ts' */

/** Whether it is the turn of somebody here. @param {Shown} shown */
const mine = ({ state, seats, context }) => state.turn !== null && seats.includes(state.turn) && !context.table?.paused();

/** Told to whoever must not see the board. */
export const LOOK_AWAY = 'The other one looks away.';

/** Whether the one to move has still to say that they look alone: at one screen, in a game with secrets. @param {Shown} shown */
export const covered = ({ state, seats, looking }) =>
  state.secrets && state.opponent === 'screen' && seats.length === 2 && !state.outcome && state.turn !== null && looking !== state.turn;

/** What lies over the board between two turns. @param {Shown} shown */
function cover(shown) {
  const { state } = shown;
  const seat = /** @type {Seat} */ (state.turn);
  const show = () => {
    shown.looking = seat;
    shown.draw();
  };
  return h('div', { class: 'match' },
    h('div', { class: 'table' },
      h('div', { class: 'title' }, h('h1', { tabindex: '-1' }, state.short_title)),
      h('section', { class: 'sheet cover', 'aria-label': 'Look away' },
        h('h2', null, `${nameOf(state, 3 - seat)}, please look away`),
        h('p', null, `Only ${nameOf(state, seat)} may see the board now.`),
        h('button', { class: 'go', onclick: show }, `I am ${nameOf(state, seat)}: show me the board`),
      ),
    ),
  );
}

/** @param {Shown} shown */
export function screen(shown) {
  if (covered(shown)) return cover(shown);
  const { state, seats, teller } = shown;
  const lastMove = state.history.findLastIndex((line) => line.player > 0);
  const { round, rounds } = state.series;
  return h('div', { class: 'match' },
    h('div', { class: 'table' },
      h('div', { class: 'title' },
        h('h1', { tabindex: '-1' }, state.short_title),
        teller.goal && h('p', { class: 'goal' }, teller.goal),
        teller.house && h('span', { class: 'chip' }, `House rules: ${teller.house}`),
        state.practice && h('span', { class: 'chip' }, 'Practice'),
        !state.marks && h('span', { class: 'chip' }, 'Without marks and sums'),
        shown.context.table?.chips(),
        rounds > 1 && h('span', { class: 'chip' }, `Round ${round} of ${rounds}: ${points(state)}`),
      ),
      h('ul', { class: 'players', 'aria-label': 'Players' }, state.players.map((_, at) => player(shown, at))),
      invitation(shown),
      h(
        'section',
        { class: `sheet felt${mine(shown) ? ' mine' : ''}`, 'aria-label': 'Board', 'aria-busy': shown.settling ? 'true' : null },
        shown.module.show({ ...state.settings, ...state.board }, {
          moves: mine(shown) ? state.moves : [],
          play: seats.length && !state.outcome ? shown.play : undefined,
          sent: shown.sent,
          hinted: shown.hinted,
          tell: shown.context.tell,
          turn: state.turn,
          names: [nameOf(state, 1), nameOf(state, 2)],
          view: state.view,
          line: /** @type {number[] | undefined} */ (state.outcome?.facts['line']),
          ...sinceMove(state.history),
        }),
      ),
      h('p', { class: 'told' },
        resignation(shown) || state.history.slice(Math.max(lastMove, 0)).map(teller.line).join(' ') || 'Nothing has happened yet.',
      ),
      // Below the board, so that it stays where it is; it sticks to the edge of the window, so that it is seen.
      state.outcome && ended(shown),
      signs(shown),
    ),
    // What can be done besides moving, and what is said about it: always in sight, at the side or at the bottom edge.
    h('div', { class: 'actions' },
      notice(shown),
      reminder(shown),
      state.computer && !waits(state) && h('p', { class: 'note' }, teller.say(state.computer)),
      shown.coach && h('p', { class: 'note' }, h('b', null, 'Coach: '), shown.coach),
      shown.hints.length > 0 &&
        h('div', { class: 'note' }, h('b', null, 'Hint'), shown.hints.map((words) => h('p', null, words))),
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
  // Names stay with people: who begins is said apart.
  const first = seat === 1 && (state.series.rounds > 1 || name === NAMES[1]);
  let words = '';
  if (unplayed(state)) words = '';
  else if (state.outcome) words = state.outcome.winner ? (state.outcome.winner === seat ? '★ won' : 'lost') : 'draw';
  else if (!joined) words = 'not here yet';
  else if (shown.away.includes(seat)) words = 'is away';
  else if (thinks && (state.moves.length || state.secrets)) words = 'thinking …';
  else if (turn && shown.late) words = 'waiting for the network …';
  // While a move is being shown there are none.
  else if (turn && (state.moves.length || state.secrets)) words = me ? 'Your turn' : 'to move';
  return h('li', { class: `player p${seat}${turn ? ' turn' : ''}`, 'aria-current': turn ? 'true' : null },
    mark(seat),
    h('span', { class: 'who' }, h('b', null, name), ' ', (me || first) && h('small', null, [me && 'you', first && 'begins'].filter(Boolean).join(', '))),
    h('span', { class: 'words' }, words && turn && !thinks && h('span', { 'aria-hidden': 'true' }, '▸ '), words),
    has !== null && h('strong', { class: 'score' }, h('span', { class: 'unseen' }, 'has '), has),
    shows(shown, seat),
  );
}

/** What must be seen now, wherever one looks. @param {Shown} shown */
function notice(shown) {
  const { state, seats, act } = shown;
  const { asked } = state.take_back;
  if (!state.outcome && asked && state.opponent === 'friend' && seats.length && !seats.includes(asked)) {
    return h('section', { class: 'sheet notice', 'aria-label': 'A question' },
      h('p', null, h('b', null, `${nameOf(state, asked)} wants to take back ${taken(shown, asked)}`), ' Is that all right?'),
      row(
        h('button', { class: 'go', onclick: () => act('agree', seats[0]) }, 'Yes, take it back'),
        h('button', { class: 'button', onclick: () => act('refuse', seats[0]) }, 'No'),
      ),
    );
  }
  const watching = !seats.length && shown.met;
  const waiting = waits(state) && state.computer;
  if (!watching && !waiting) return null;
  return h('p', { class: 'note notice' },
    watching && h('b', null, 'You are watching.'),
    watching && ' Only the two players can move. ',
    waiting && shown.teller.say(waiting),
  );
}

/** The way to a game that nobody has come to yet: above its board, which nobody can use so far. @param {Shown} shown */
function invitation(shown) {
  const { id, state, seats } = shown;
  const { invite } = keep.match(id);
  if (!seats.length || !invite || state.players.every((one) => one.joined)) return null;
  return h('section', { class: 'sheet invitation', 'aria-label': 'Invitation' },
    h('h2', null, 'Send this link to your friend'),
    link('Invitation', `m/${id}#invite=${invite}`, shown.context, state.short_title),
    onlyHere() && h('p', null, h('b', null, ONLY_HERE)),
    h('p', null, 'The game begins when your friend opens the link and presses “Sit down”. You can close this page meanwhile, and come back from the front page.'),
    shown.qr && shown.qr.cloneNode(true),
    row(
      h('button', { class: 'button', 'aria-expanded': String(!!shown.qr), onclick: () => code(shown, `m/${id}#invite=${invite}`) }, 'QR code'),
      h('button', { class: 'button', onclick: () => withdraw(shown) }, 'Withdraw'),
    ),
  );
}

/** Show the invitation as something that a phone can read, or no longer. @param {Shown} shown @param {string} path */
async function code(shown, path) {
  try {
    shown.qr = shown.qr ? null : qrCode(await ask('qr-codes', { body: { text: outside(path) } }), 'QR code of the invitation');
    shown.draw();
  } catch (error) {
    shown.context.tell(errorWords(error));
  }
}

/** @param {Shown} shown */
const withdraw = ({ act }) =>
  confirm('Withdraw the invitation?', 'Whoever opens the link then is told that you have withdrawn it, and cannot sit down.',
    ['Yes, withdraw it', () => act('withdraw')], 'No, keep it');

/** What a player can do besides moving. @param {Shown} shown */
function deeds(shown) {
  const { state, seats, act, teller } = shown;
  if (!seats.length || state.outcome) return null;
  const { asked, refusal } = state.take_back;
  const friend = state.opponent === 'friend';
  // At one screen it is the last move that is taken back, whoever made it.
  const last = state.history.findLast(({ player }) => player)?.player;
  const asker = seats.find((seat) => seat === last) ?? seats[0] ?? 1;
  const no = refusal[asker - 1];
  const backer = no ? null : asker;
  const again = mine(shown) && shown.redo[0];
  const why = no ? teller.say(no) : `Takes back ${taken(shown, asker)}`;
  const waiting = asked !== null && seats.includes(asked);
  const hints = mine(shown) && shown.more;
  const advice = state.marks && shown.context.table?.hints !== false;
  return h('div', { class: 'row deeds' },
    !friend &&
      advice &&
      h('button', { class: 'button', 'aria-disabled': hints ? null : 'true', onclick: hints ? shown.hint : null },
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
            : () => shown.context.tell(no ? sentence(why) : 'You have asked already.'),
      },
      friend ? (waiting ? 'Asked …' : 'Ask to take back') : 'Take back',
    ),
    h('span', { class: 'unseen', id: 'why' }, why),
    again && h('button', { class: 'button', onclick: () => shown.play(again) }, `Redo ${shown.module.written(again)}`),
    h('button', { class: 'button', onclick: () => resign(shown) }, 'Resign'),
    h(
      'button',
      { class: 'button', onclick: async () => (await import('./rules.js')).rules(shown.context, state.game, state.settings) },
      'Rules',
    ),
    state.opponent === 'computer' && advice && toggle('coach', false, 'Coach'),
    shown.context.table ? shown.context.table.deeds() : friend && callSwitch(shown.context),
  );
}

/** @param {Shown} shown */
function resign({ state, seats, act }) {
  const who = seats.length === 2 ? state.turn : (seats[0] ?? null);
  const loser = seats.length === 2 && who ? nameOf(state, who) : 'You';
  confirm('Resign?', `${loser} will have lost this game.`, ['Yes, resign', () => act('resign', who)], 'No, play on');
}

/** The end of a game: who won and why, and what one can do next. @param {Shown} shown */
function ended(shown) {
  const { id, state, seats, act, won, settling, teller, context } = shown;
  if (!state.outcome) return null;
  const { winner } = state.outcome;
  const alone = seats.length === 1;
  const happy = winner !== null && (alone ? seats[0] === winner : true);
  const [me] = seats;
  const { round, rounds } = state.series;
  const wants = state.rematch.filter((seat) => !seats.includes(seat));
  const asked = alone && state.rematch.includes(/** @type {any} */ (me));
  const again = unplayed(state) ? 'Play it anew' : round < rounds ? 'Next round' : 'Rematch';
  return h('section', { class: `sheet end p${winner ?? 0}${happy && won ? ' cheer' : ''}`, 'aria-label': 'The end' },
    happy && won && confetti('1+7×3−9÷5+2×8=4★6★2−5÷3+9'),
    h('div', { class: 'crown' }, winner ? mark(winner) : [mark(1), ' ', mark(2)], happy && won && h('span', { class: 'stars', 'aria-hidden': 'true' }, [...'★★★'].map((star) => h('b', null, star)))),
    h('h2', { tabindex: '-1' }, unplayed(state) ? 'No result' : !winner ? 'A draw' : alone && happy ? 'You win!' : `${nameOf(state, winner)} wins${alone ? '' : '!'}`),
    h('p', { class: 'reason' }, sentence(teller.ending(state.outcome)), !happy && !unplayed(state) && (state.outcome.resigned ? ' Another go?' : ' Well played. Another go?')),
    rounds > 1 && h('p', null, h('b', null, series(state))),
    wants.length > 0 &&
      !state.next &&
      h('p', null, h('b', null, `${nameOf(state, wants[0] ?? 1)} wants ${round < rounds ? 'the next round' : 'a rematch'}.`)),
    context.table?.after() ?? row(
      state.next
        ? h('a', { class: 'button go', href: `m/${state.next}` }, 'To the next game')
        : me &&
            (asked
              ? h('span', { class: 'note' }, `Waiting for ${nameOf(state, me === 1 ? 2 : 1)} …`)
              : // The focus comes here by itself: the key that made the last move must not start the next game.
                h('button', { class: 'go', onclick: (/** @type {MouseEvent} */ event) => (settling && !event.detail) || act('rematch', me) }, again)),
      !unplayed(state) && h('a', { class: 'button', href: `review#match=${id}` }, 'Review the game'),
      h('a', { class: 'button', href: `api/matches/${id}/record`, download: `${fileName(state.game)}-${id}.nq` }, 'Download the record'),
      h('a', { class: 'button', href: './' }, 'Other games'),
    ),
  );
}

/** How the series stands, or who has won it. @param {State} state */
function series(state) {
  const { round, rounds, points: [one, two] } = state.series;
  if (round < rounds) return `After round ${round} of ${rounds}: ${points(state)}.`;
  if (one === two) return `The series is level: ${points(state)}.`;
  return `${nameOf(state, one > two ? 1 : 2)} wins the series: ${points(state)}.`;
}
