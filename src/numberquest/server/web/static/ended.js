// The end of a game: who won and why, and what one can do next.

import { h, sentence } from './dom.js';
import { mark } from './board_parts.js';
import { nameOf, points } from './words.js';

/** @import { Shown } from './page.d.ts' */
/** @import { State } from './wire.d.ts' */

/** @param {Shown} shown */
export function ended(shown) {
  const { id, state, seats, act, won, settling, teller } = shown;
  if (!state.outcome) return null;
  const { winner } = state.outcome;
  const alone = seats.length === 1;
  const happy = winner !== null && (alone ? seats[0] === winner : true);
  const [me] = seats;
  const { round, rounds } = state.series;
  const wants = state.rematch.filter((seat) => !seats.includes(seat));
  const asked = alone && state.rematch.includes(/** @type {any} */ (me));
  const again = round < rounds ? 'Next round' : 'Rematch';
  return h(
    'section',
    { class: `sheet end p${winner ?? 0}${happy && won ? ' cheer' : ''}`, 'aria-label': 'The end' },
    happy &&
      won &&
      h(
        'div',
        { class: 'confetti', 'aria-hidden': 'true' },
        [...'1+7×3−9÷5+2×8=4★6★2−5÷3+9'].map((sign, at) => h('i', { vars: { '--n': at } }, sign)),
      ),
    h('div', { class: 'crown' }, winner ? mark(winner) : [mark(1), ' ', mark(2)], happy && won && h('span', { class: 'stars', 'aria-hidden': 'true' }, [...'★★★'].map((star) => h('b', null, star)))),
    h('h2', { tabindex: '-1' }, !winner ? 'A draw' : alone && happy ? 'You win!' : `${nameOf(state, winner)} wins${alone ? '' : '!'}`),
    h('p', { class: 'reason' }, sentence(teller.ending(state.outcome)), !happy && (state.outcome.resigned ? ' Another go?' : ' Well played. Another go?')),
    rounds > 1 && h('p', null, h('b', null, series(state))),
    wants.length > 0 &&
      !state.next &&
      h(
        'p',
        null,
        h('b', null, `${nameOf(state, wants[0] ?? 1)} wants ${round < rounds ? 'the next round' : 'a rematch'}.`),
      ),
    h(
      'p',
      { class: 'row' },
      state.next
        ? h('a', { class: 'button go', href: `m/${state.next}` }, 'To the next game')
        : me &&
            (asked
              ? h('span', { class: 'note' }, `Waiting for ${nameOf(state, me === 1 ? 2 : 1)} …`)
              : // The focus comes here by itself: the key that made the last move must not start the next game.
                h('button', { class: 'go', onclick: (/** @type {MouseEvent} */ event) => (settling && !event.detail) || act('rematch', me) }, again)),
      h('a', { class: 'button', href: `review#match=${id}` }, 'Review the game'),
      h(
        'a',
        { class: 'button', href: `api/matches/${id}/record`, download: `${state.game}-${id}.nq` },
        'Download the record',
      ),
      h('a', { class: 'button', href: './' }, 'Other games'),
    ),
  );
}

/** How the series stands, or who has won it. @param {State} state */
function series(state) {
  const {
    round,
    rounds,
    points: [one, two],
  } = state.series;
  if (round < rounds) return `After round ${round} of ${rounds}: ${points(state)}.`;
  if (one === two) return `The series is level: ${points(state)}.`;
  return `${nameOf(state, one > two ? 1 : 2)} wins the series: ${points(state)}.`;
}
