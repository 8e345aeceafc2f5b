// Which address shows which page, and what every page has: the line at the top, the status, the theme, the keys.

import { HOST } from './host.js';
import { h, morph, row, sheet, stylesheet } from './parts/dom.js';
import * as keep from './parts/keep.js';
import { addressOf, learn, onlyHere, shownAt, within } from './parts/links.js';
import { ask, during, onlyKept, save, Trouble } from './parts/net.js';

/** @import { Context, Page } from './page.d.ts' */
/** @import { Games } from './wire.d.ts' */

/** Said where a part of the page did not come. */
const UNLOADED = 'This part of the page could not be loaded. Are you still connected?';
const main = /** @type {HTMLElement} */ (document.getElementById('app'));
const live = /** @type {HTMLElement} */ (document.getElementById('live'));
const status = /** @type {HTMLElement} */ (document.getElementById('status'));
/** @type {(() => void) | null} */
let leave = null;
/** What is known of the games, and all of it. @type {{ now: Promise<Games>, whole: Promise<Games> } | null} */
let games = null;
/** Whoever waits longer for all about the games, in milliseconds, sees first what is known at once. */
const SOON = 1500;
let visit = 0;
/** What opens something, behind the # of an address. */
const SECRETS = ['seat', 'invite', 'teacher'];

/** @param {string} path @returns {Promise<Page>} */
async function found(path) {
  if (/^m\/[^/]+$/.test(path)) return (await import('./screens/match.js')).page;
  if (path === 'review') return (await import('./screens/review.js')).page;
  if (path === 'puzzle') return (await import('./screens/puzzle.js')).page;
  if (path === 'atlas') return (await import('./screens/atlas.js')).page;
  if (path === 'laboratory') return (await import('./screens/laboratory.js')).page;
  if (path === 'workshop') return (await import('./screens/workshop.js')).page;
  if (/^lesson\/[^/]+$/.test(path)) return (await import('./screens/lesson.js')).page;
  if (/^class(\/[^/]+)?$/.test(path)) return (await import('./screens/classroom.js')).page;
  if (path === '') return (await import('./screens/home.js')).page;
  return async (main, context) => {
    context.title('Nothing here');
    main.append(sheet('There is nothing at this address.', 'Look whether it is written correctly.'));
  };
}

/** @param {string} path @param {boolean} [replace] */
function go(path, replace) {
  history[replace ? 'replaceState' : 'pushState'](null, '', addressOf(path));
  void show(true);
}

/** Ask for the games; a server that has just started may have to work out much first. */
function theGames() {
  const about = (/** @type {string} */ path) => ask(path).then((all) => (learn(/** @type {Games} */ (all)), /** @type {Games} */ (all)));
  const whole = about('games').catch((error) => ((games = null), Promise.reject(error)));
  /** @type {Promise<Games>} */
  const now = new Promise((done, failed) => {
    const slow = setTimeout(() => about('games?soon=yes').then(done, () => undefined), SOON);
    whole.then(done, failed).finally(() => clearTimeout(slow));
  });
  void whole.then(() => games && (games.now = whole), () => undefined);
  return { now, whole };
}

/** @param {string} text */
function tell(text) {
  status.textContent = text;
  status.classList.toggle('on', text !== '');
  clearTimeout(hiding);
  hiding = window.setTimeout(() => status.classList.remove('on'), 3000 + 70 * text.length);
}
let hiding = 0;

/** @param {boolean} moved whether somebody came here from another page of ours: then the focus goes along */
async function show(moved) {
  const now = ++visit;
  leave?.();
  leave = null;
  const url = new URL(location.href);
  /** @type {Context} */
  const context = {
    path: shownAt(url) ?? url.pathname,
    fragment: new URLSearchParams(url.hash.slice(1)),
    go,
    tell,
    title: (text) => void (document.title = text ? `${text} – Number Quest` : 'Number Quest'),
    // One line after the other: what is said next does not take the words out of the reader's mouth.
    say: (text) => {
      const line = h('p', null, text);
      live.append(line);
      setTimeout(() => line.remove(), 10000);
    },
    // A page that somebody has left meanwhile waits for ever: it must not draw over the next one.
    games: (whole) => (games ??= theGames())[whole ? 'whole' : 'now'].then((all) => (now === visit ? all : new Promise(() => undefined))),
  };
  // A secret in the address is taken out at once, so that it is in no history, picture or copied link.
  if (SECRETS.some((name) => context.fragment.has(name))) history.replaceState(null, '', url.pathname + url.search);
  tell('');
  // Without them links still work on this computer, so nothing waits for it.
  if (onlyHere()) context.games().catch(() => undefined);
  try {
    // Where there is a board, its style comes along; the front page has none.
    const [page] = await during(Promise.all([found(context.path), context.path && stylesheet('static/style/match.css')]));
    if (now !== visit) return;
    main.className = 'page';
    main.replaceChildren();
    const left = (await page(main, context)) ?? null;
    if (now === visit) leave = left;
    else left?.();
    if (moved && now === visit) {
      scrollTo(0, 0);
      (main.querySelector('h1') ?? main).focus({ preventScroll: true });
    }
  } catch (error) {
    if (!(error instanceof Trouble)) onlyKept(true);
    const words = error instanceof Trouble ? error.message : UNLOADED;
    main.replaceChildren(
      h('section', { class: 'sheet' },
        h('h1', null, 'That did not work'),
        h('p', null, words),
        row(h('button', { class: 'go', onclick: () => void show(true) }, 'Try again'), h('a', { class: 'button', href: './' }, 'To the games')),
      ),
    );
  }
}

const THEMES = [['', '◐', 'as your system'], ['light', '☀', 'light'], ['dark', '☾', 'dark']];

function top() {
  const theme = keep.get('theme', '');
  const at = Math.max(0, THEMES.findIndex(([name]) => name === theme));
  const [, sign, words] = /** @type {string[]} */ (THEMES[at]);
  const next = /** @type {string[]} */ (THEMES[(at + 1) % THEMES.length]);
  const turn = () => {
    keep.set('theme', next[0]);
    dispatchEvent(new Event('theme'));
    if (next[0]) document.documentElement.dataset.theme = next[0];
    morph(bar, top());
  };
  return h('header', { class: 'top', id: 'top' },
    h('a', { class: 'brand', href: './' },
      h('span', { class: 'p1', 'aria-hidden': 'true' }, '●'),
      h('span', { class: 'p2', 'aria-hidden': 'true' }, '◆'),
      h('span', { class: 'name' }, 'Number Quest'),
    ),
    h('nav', { 'aria-label': 'Pages' },
      h('a', { href: './' }, 'Games'),
      h('a', { href: 'puzzle' }, 'Puzzle'),
      h('a', { href: 'review' }, 'Review'),
      h('a', { href: 'laboratory', 'aria-label': 'Laboratory' }, 'Lab'),
    ),
    h(
      'button',
      {
        class: 'quiet',
        'aria-label': `Colours: ${words}. Change to ${next[2]}`,
        title: `Colours: ${words}`,
        onclick: turn,
      },
      sign,
    ),
  );
}
const bar = morph(/** @type {HTMLElement} */ (document.getElementById('top')), top());

addEventListener('popstate', () => void show(true));
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link?.className === 'skip') {
    // Without going to an address: that would draw the page anew.
    event.preventDefault();
    main.focus();
    return;
  }
  if (HOST?.alone && link?.download && link.getAttribute('href')?.startsWith('api/')) {
    // There is nobody else to ask for it.
    event.preventDefault();
    void save((within(link.pathname) ?? '').slice('api/'.length), link.download);
    return;
  }
  if (!link || link.origin !== location.origin || link.download || link.target || event.defaultPrevented) return;
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const path = within(link.pathname);
  if (path === null || path.startsWith('api/') || path.startsWith('static/')) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
});

// A key presses the button of the board that is marked with it. They can be switched off: some people steer by voice.
document.addEventListener('keydown', (event) => {
  if (
    // A key that is held down is pressed once.
    event.repeat ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    !keep.get('keys', true) ||
    document.querySelector('dialog[open]')
  )
    return;
  const typed = 'input:not([type=checkbox], [type=radio]), select, textarea';
  if (event.target instanceof Element && event.target.closest(typed)) return;
  const button = document.querySelector(`.board [data-key="${CSS.escape(event.key.toLowerCase())}"]`);
  if (!(button instanceof HTMLElement) || button.getAttribute('aria-disabled') === 'true') return;
  event.preventDefault();
  button.focus();
  button.click();
});

// Such as the rules, where they could not be fetched: a click never goes unanswered.
addEventListener('unhandledrejection', ({ reason }) => tell(reason instanceof Trouble ? reason.message : UNLOADED));

void show(false);
