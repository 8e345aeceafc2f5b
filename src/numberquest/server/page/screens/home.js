// The front page: every game one click away.

import { boardOf } from '../boards/boards.js';
import { HOST } from '../host.js';
import { h, renew, row, sentence } from '../parts/dom.js';
import { perCent, whole } from '../parts/figures.js';
import * as keep from '../parts/keep.js';
import { flip, nameField, pills } from '../parts/fields.js';
import { day, on, settled, STEPS, stepsOn, streak } from '../parts/streak.js';
import { picture, puzzle as puzzlePicture, review as reviewPicture, workshop as workshopPicture } from '../boards/pictures.js';
import { begin } from '../parts/share.js';
import { luckWords, many, NAMES, plainly, teller } from '../parts/words.js';

/** @import { BoardModule, Context } from '../page.d.ts' */
/** @import { GameInfo, Games, NewMatch } from '../wire.d.ts' */

const COUNTS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'Eleven', 'Twelve'];

/** @param {HTMLElement} main @param {Context} context */
export async function page(main, context) {
  context.title('');
  main.replaceChildren(h('p', { class: 'waiting', role: 'status' }, 'Loading …'));
  let games = await context.games();
  const boards = await Promise.all(games.games.map(({ game }) => boardOf(game)));
  // Whoever is here for the first time needs none of it.
  const mine = keep.matches().some(([, one]) => one.over && one.title) ? await import('./my_games.js') : null;
  main.replaceChildren();
  const suggested = first(games.games)?.game;
  let busy = false;

  /** What was wrong, if anything was. @param {NewMatch} wish */
  async function start(wish) {
    if (busy) return '';
    busy = true;
    keep.set('played', wish.game);
    try {
      return await begin(context, wish);
    } finally {
      busy = false;
    }
  }

  function draw() {
    const level = keep.get('level', 'easy');
    const fresh = h('div', { class: 'home' },
      welcome(games, games.games.find(({ game }) => game === suggested), level, start, (name) => (keep.set('level', name), draw())),
      open(),
      games.games.some(({ proved }) => proved) &&
        flip(keep.get('proved', false), 'Show what is proved: who wins, and how', ({ checked }) => (keep.set('proved', checked), draw()), 'spoils'),
      h('div', { class: 'cardlist' },
        games.games.map((game, at) => card(game, /** @type {BoardModule} */ (boards[at]), level)),
        workshop(),
        review(),
      ),
      mine?.recent(),
    );
    renew(main, fresh);
  }

  /** @param {GameInfo} game @param {BoardModule} module @param {string} level */
  function card(game, module, level) {
    const { say } = teller(game, module, {}, NAMES);
    // What is the same on every card is named with its game, for who does not see the card.
    const choice = (/** @type {string} */ words, /** @type {() => unknown} */ onclick, kind = 'button') =>
      h('button', { class: kind, onclick, 'aria-label': `${words.replace('…', '')}: ${game.short_title}` }, words);
    const against = (/** @type {string} */ opponent) => () => start({ game: game.game, opponent });
    return h('article', { class: 'sheet game', vars: { '--hue': module.hue } },
      h('div', { class: 'picture' }, picture(module.picture(game))),
      h('h2', null, game.short_title),
      h('p', null, game.summary),
      h('ul', { class: 'glance' }, game.turns[1] > 0 && h('li', null, takes(game.turns)), game.luck !== null && h('li', null, luckWords(game.luck))),
      keep.get('proved', false) && game.proved && game.value !== null && h('p', { class: 'favoured' }, balance(game.value), sentence(say(game.proved))),
      h('div', { class: 'choices' },
        choice(`Play the computer, ${level}`, against(level), 'button first'),
        !HOST?.alone && choice('Play a friend', against('friend')),
        choice('Two at this screen', against('screen')),
        h('a', { class: 'text', href: `lesson/${game.game}`, 'aria-label': `Learn it: ${game.short_title}` }, 'Learn it'),
        choice('House rules…', async () => (await import('./new_game.js')).setUp(game, games, start), 'text'),
        choice('Rules', async () => (await import('./rules.js')).rules(context, game.game), 'text'),
      ),
    );
  }
  draw();
  // A link to house rules, as a report of the laboratory has it: they are ready in the dialog, and nothing begins by itself.
  const asked = games.games.find(({ game }) => game === context.fragment.get('game'));
  if (asked) (await import('./new_game.js')).setUp(asked, games, start, context.fragment);
  if (!games.soon) return undefined;
  let left = false;
  context.games(true).then((all) => left || ((games = all), draw()), () => undefined);
  return () => void (left = true);
}

/** Who is favoured, as a bar of two colours and in figures. @param {number} value */
function balance(value) {
  const [one, two] = [perCent(value), perCent(1 - value)];
  return h(
    'span',
    {
      class: 'balance',
      role: 'img',
      'aria-label': `With best play Player 1 wins ${one}, Player 2 ${two}`,
      vars: { '--one': `${whole(value)}%` },
    },
    h('span', { class: 'p1' }, `● ${one}`),
    h('i', null),
    h('span', { class: 'p2' }, `${two} ◆`),
  );
}

/** So long a turn takes, in seconds, for somebody who thinks a little. */
const TURN = 10;

/** How long a game takes. @param {[number, number]} turns */
function takes([low, high]) {
  const minutes = Math.max(1, Math.round((((low + high) / 2) * TURN) / 60));
  return `about ${minutes === 1 ? 'a minute' : `${minutes} minutes`}: ${low === high ? low : `${low} to ${high}`} turns`;
}

/** What to start with: the game played last, and at first the shortest in which the moves decide. @param {GameInfo[]} games */
export function first(games) {
  const luck = (/** @type {GameInfo} */ one) => one.luck ?? (one.chance ? 1 : 0);
  const turns = (/** @type {GameInfo} */ one) => one.turns[1] || 999;
  // While nothing has been worked out yet, the shortest rules decide: what is offered then stays on offer.
  const sooner = (/** @type {GameInfo} */ one, /** @type {GameInfo} */ other) => luck(one) - luck(other) || turns(one) - turns(other) || one.rules.length - other.rules.length;
  return games.find(({ game }) => game === keep.get('played', '')) ?? [...games].sort(sooner)[0];
}

/**
 * @param {Games} games
 * @param {GameInfo | undefined} game
 * @param {string} level
 * @param {(wish: NewMatch) => void} start
 * @param {(name: string) => void} choose
 */
function welcome(games, game, level, start, choose) {
  return h('section', { class: 'welcome' },
    h('div', { class: 'hero' },
      h('h1', { tabindex: '-1' }, `${COUNTS[games.games.length] ?? games.games.length} number games for two`),
      h('p', { class: 'lead' }, `Play the computer, ${HOST?.alone ? '' : 'send a friend a link, '}or share this screen.`),
      game &&
        row(
          h('button', { class: 'go start', onclick: () => start({ game: game.game, opponent: level }) },
            h('b', null, '▶ Play '),
            h('span', null, `${game.short_title}, against the computer: ${level}`),
          ),
        ),
      daily(),
      !HOST?.alone && h('p', { class: 'small' }, h('a', { href: 'class' }, 'Have a class?'), ' Thirty pupils, one code, no accounts.'),
    ),
    h('div', { class: 'setup' },
      h('fieldset', { class: 'levels' },
        h('legend', null, 'How strong is the computer?'),
        pills('level', games.levels.map(({ name }) => [name, name]), level, choose),
        h('p', { class: 'small' }, sentence(plainly(`level-${level}`))),
      ),
      h('p', { class: 'row me' },
        h('label', { for: 'me' }, 'Your name'),
        ...nameField({
          id: 'me',
          value: keep.get('name', ''),
          autocomplete: 'nickname',
          oninput: (/** @type {Event} */ event) =>
            keep.set('name', /** @type {HTMLInputElement} */ (event.target).value.trim()),
        }),
      ),
    ),
  );
}

function open() {
  const seen = keep
    .matches()
    .filter(([, one]) => one.title && !one.over)
    .slice(0, 6);
  return (
    seen.length > 0 &&
    h('section', { class: 'open' },
      h('h2', null, 'Your open games'),
      h('ul', null,
        seen.map(([id, one]) =>
          h('li', null, h('a', { class: 'button', href: `m/${id}` }, h('b', null, one.title), ` ${one.against}`)),
        ),
      ),
    )
  );
}

/** Near the top: it is another one every day. */
function daily() {
  const days = streak();
  const done = stepsOn(day()).filter(settled).length;
  const solved = done === STEPS;
  return h('a', { class: 'sheet daily', href: 'puzzle' },
    h('span', { class: 'picture' }, picture(puzzlePicture())),
    h('span', null,
      h('b', null, 'Today’s puzzle'),
      h('small', null, days > 0 ? `★ ${many(days, 'day')} in a row` : 'Three steps from easy to hard.'),
    ),
    h('span', { class: 'more' }, solved ? 'Look again' : on(day()) ? `Go on: step ${done + 1}` : 'Solve it'),
  );
}

function workshop() {
  return door(workshopPicture(), 'Make a game', 'workshop', 'To the workshop',
    'Change the rules of a game or write your own, see at once how fair it is, and send it to others.');
}

function review() {
  return door(reviewPicture(), 'Review a record', 'review', 'Choose a record',
    'Upload a game that was written down and see what every move was worth.');
}

/** @param {Parameters<typeof picture>[0]} drawn @param {string} title @param {string} way @param {string} label @param {string} words */
function door(drawn, title, way, label, words) {
  return h('article', { class: 'sheet game card-review' },
    h('div', { class: 'picture' }, picture(drawn)),
    h('h2', null, title),
    h('p', null, words),
    h('div', { class: 'choices' }, h('a', { class: 'button', href: way }, label)),
  );
}
