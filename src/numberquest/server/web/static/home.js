// The front page: every game one click away.

import { boardOf } from './boards.js';
import { h, morph, sentence } from './dom.js';
import * as keep from './keep.js';
import { day, on, streak } from './streak.js';
import { picture, puzzle as puzzlePicture, review as reviewPicture } from './pictures.js';
import { begin } from './share.js';
import { NAMES, plainly, teller } from './words.js';

/** @import { BoardModule, Context } from './page.d.ts' */
/** @import { GameInfo, Games, NewMatch } from './wire.d.ts' */

const COUNTS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'Eleven', 'Twelve'];

/** @param {HTMLElement} main @param {Context} context */
export async function page(main, context) {
  context.title('');
  const games = await context.games();
  const boards = await Promise.all(games.games.map(({ game }) => boardOf(game)));
  let busy = false;

  /** What was wrong, if anything was. @param {NewMatch} wish */
  async function start(wish) {
    if (busy) return '';
    busy = true;
    try {
      return await begin(context, wish);
    } finally {
      busy = false;
    }
  }

  function draw() {
    const level = keep.get('level', 'easy');
    const fresh = h(
      'div',
      { class: 'home' },
      welcome(games, level, (name) => (keep.set('level', name), draw())),
      open(),
      h(
        'div',
        { class: 'cardlist' },
        games.games.map((game, at) => card(game, /** @type {BoardModule} */ (boards[at]), level)),
        h('div', { class: 'extras' }, daily(), review()),
      ),
    );
    if (main.firstElementChild) morph(main.firstElementChild, fresh);
    else main.append(fresh);
  }

  /** @param {GameInfo} game @param {BoardModule} module @param {string} level */
  function card(game, module, level) {
    const { say } = teller(game, module, {}, NAMES);
    return h(
      'article',
      { class: 'sheet game', vars: { '--hue': module.hue } },
      h('div', { class: 'picture' }, picture(module.picture(game))),
      h('h2', null, game.short_title),
      h('p', null, game.summary),
      game.proved && game.value !== null && h('p', { class: 'favoured' }, balance(game.value), sentence(say(game.proved))),
      h(
        'div',
        { class: 'choices' },
        h(
          'button',
          {
            class: 'go',
            onclick: () => start({ game: game.game, opponent: level }),
            'aria-label': `Play the computer, ${level}: ${game.short_title}`,
          },
          'Play the computer',
          h('small', null, level),
        ),
        h(
          'button',
          {
            class: 'button',
            onclick: () => start({ game: game.game, opponent: 'friend' }),
            'aria-label': `Play a friend: ${game.short_title}`,
          },
          'Play a friend',
        ),
        h(
          'button',
          {
            class: 'button',
            onclick: () => start({ game: game.game, opponent: 'screen' }),
            'aria-label': `Two at this screen: ${game.short_title}`,
          },
          'Two at this screen',
        ),
        h(
          'button',
          {
            class: 'text',
            onclick: async () => (await import('./new_game.js')).setUp(game, games, start),
            'aria-label': `House rules: ${game.short_title}`,
          },
          'House rules…',
        ),
        h(
          'button',
          {
            class: 'text',
            onclick: async () => (await import('./rules.js')).rules(context, game.game),
            'aria-label': `Rules: ${game.short_title}`,
          },
          'Rules',
        ),
      ),
    );
  }
  draw();
}

/** Who is favoured, as a bar of two colours and in figures. @param {number} value */
function balance(value) {
  const percent = Math.round(value * 100);
  return h(
    'span',
    {
      class: 'balance',
      role: 'img',
      'aria-label': `With best play Player 1 wins ${percent} %, Player 2 ${100 - percent} %`,
      vars: { '--one': `${percent}%` },
    },
    h('span', { class: 'p1' }, `● ${percent} %`),
    h('i', null),
    h('span', { class: 'p2' }, `${100 - percent} % ◆`),
  );
}

/**
 * @param {Games} games
 * @param {string} level
 * @param {(name: string) => void} choose
 */
function welcome(games, level, choose) {
  return h(
    'section',
    { class: 'welcome' },
    h('h1', { tabindex: '-1' }, `${COUNTS[games.games.length] ?? games.games.length} number games for two`),
    h(
      'p',
      { class: 'lead' },
      'Play the computer, send a friend a link, or share this screen. Every position is solved: ' +
        'afterwards you can see where the game was won.',
    ),
    h(
      'div',
      { class: 'setup' },
      h(
        'fieldset',
        { class: 'levels' },
        h('legend', null, 'How strong is the computer?'),
        h(
          'div',
          { class: 'pills' },
          games.levels.map(({ name }) =>
            h(
              'label',
              null,
              h('input', {
                type: 'radio',
                name: 'level',
                value: name,
                checked: name === level,
                onchange: () => choose(name),
              }),
              h('span', null, name),
            ),
          ),
        ),
        h('p', { class: 'small' }, sentence(plainly(`level-${level}`))),
      ),
      h(
        'p',
        { class: 'row me' },
        h('label', { for: 'me' }, 'Your name'),
        h('input', {
          id: 'me',
          maxlength: 30,
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
    h(
      'section',
      { class: 'open' },
      h('h2', null, 'Your open games'),
      h(
        'ul',
        null,
        seen.map(([id, one]) =>
          h('li', null, h('a', { class: 'button', href: `m/${id}` }, h('b', null, one.title), ` ${one.against}`)),
        ),
      ),
    )
  );
}

function daily() {
  const days = streak();
  const solved = ['first', 'later', 'shown'].includes(on(day())?.how ?? '');
  return h(
    'article',
    { class: 'sheet game card-puzzle' },
    h('div', { class: 'picture' }, picture(puzzlePicture())),
    h('h2', null, 'Today’s puzzle'),
    h('p', null, 'One position, one right move. A new one every day.'),
    days > 0 && h('p', { class: 'favoured' }, `★ ${days} ${days === 1 ? 'day' : 'days'} in a row`),
    h('div', { class: 'choices' }, h('a', { class: solved ? 'button' : 'go', href: 'puzzle' }, solved ? 'Look at it again' : 'Solve it')),
  );
}

function review() {
  return h(
    'article',
    { class: 'sheet game card-review' },
    h('div', { class: 'picture' }, picture(reviewPicture())),
    h('h2', null, 'Review a record'),
    h('p', null, 'Upload a game that was written down and see what every move was worth.'),
    h('div', { class: 'choices' }, h('a', { class: 'button', href: 'review' }, 'Choose a record')),
  );
}
