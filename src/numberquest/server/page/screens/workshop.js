// The workshop: a game of one's own, with a board to try it, and what is true of it (workshop#recipe=…, workshop#python=…).

import { HOST } from '../host.js';
import { download, errorWords, h, row as buttons, stylesheet } from '../parts/dom.js';
import { drafts, keepDraft, keepLast, last, linkTo, LONGEST, unpacked } from '../parts/drafts.js';
import { editor } from '../parts/editor.js';
import { labelled, pills, select } from '../parts/fields.js';
import { copied } from '../parts/links.js';
import { Maker, Refused } from '../parts/maker.js';
import { recipeForm } from '../parts/recipe_form.js';
import { clean } from '../parts/shape.js';
import { begin, copyLink } from '../parts/share.js';
import { about, laws, mark, trial, truths } from './workshop_truths.js';
import { STARTS } from '../starts.js';

/** @import { Page } from '../page.d.ts' */
/** @import { Draft } from '../parts/drafts.js' */

/** For so long after the last key nothing is looked at, in milliseconds. */
const PAUSE = 700;
const BAD_LINK = 'This link carries no game, or only a part of one. Ask for it again.';
const TOO_LONG = `A game has at most ${LONGEST.toLocaleString('en')} signs.`;
/** @type {[string, string][]} */
const WAYS = [['form', 'With a form'], ['text', 'As a text'], ['python', 'In Python']];
/** What one begins with. */
const FIRST = { recipe: 'race_to_31.toml', python: 'last.txt' };
/** What is proved of some, by the name of their file. @type {Record<string, string>} */
const TRUTHS = JSON.parse(STARTS['truths.json'] ?? '{}');

/** Games to start from: the name of the file, the game, its title, and what is true of it. */
const GALLERY = Object.entries(STARTS)
  .filter(([file]) => file !== 'prompt.txt' && file !== 'truths.json')
  .map(([file, text]) => ({ file, draft: start(file), title: titleOf(text), line: TRUTHS[file] ?? '' }));

/** What a game calls itself. @param {string} text */
function titleOf(text) {
  return clean(/^\s*title = "([^"\n]{1,60})"/m.exec(text)?.[1] ?? '', 60) || 'A game without a title';
}

/** The game that a link carries, where it carries one; null where it is no whole one. @param {URLSearchParams} fragment @returns {Promise<Draft | null | undefined>} */
async function brought(fragment) {
  for (const kind of /** @type {const} */ (['recipe', 'python'])) {
    const code = fragment.get(kind);
    if (code === null) continue;
    const text = await unpacked(code);
    return text === null ? null : { kind, text };
  }
  return undefined;
}

/** @param {string} file @returns {Draft} */
function start(file) {
  return { kind: file.endsWith('.toml') ? 'recipe' : 'python', text: STARTS[file] ?? '' };
}

/** @type {Page} */
export async function page(main, context) {
  await Promise.all([stylesheet('static/style/laboratory.css'), stylesheet('static/style/workshop.css')]);
  context.title('Make a game');
  const linked = await brought(context.fragment);
  if (linked === null) context.tell(BAD_LINK);
  const levels = (await context.games()).levels.map(({ name }) => /** @type {[string, string]} */ ([name, name]));
  const maker = new Maker();
  /** @type {Draft} */
  let draft = linked ?? last() ?? start(FIRST.recipe);
  let way = draft.kind === 'python' ? 'python' : 'form';
  /** What the recipe says, as it was looked at last; and what the game is called where it is played. @type {Record<string, any> | null} */
  let says = null;
  let name = '';
  /** The game that was looked at last, as it was then. @type {{ draft: Draft, title: string } | null} */
  let known = null;
  /** The version that is shown beside the rules and below them. @type {Draft | null} */
  let shown = null;
  let visit = 0;
  let timer = 0;

  const area = h('div', { class: 'area' });
  const side = h('div', { class: 'side' });
  const said = h('p', { role: 'status' });
  const trouble = h('p', { class: 'trouble', role: 'status' });
  const shared = h('p', { class: 'row', role: 'status' });
  const actions = h('div', null);
  /** What plays the game. @type {HTMLButtonElement[]} */
  let playing = [];
  const truth = truths(maker, (error) => wrong(error), context.say);
  const code = editor(changed);
  const from = h('select', { id: 'start', onchange: () => picked(from.value) });

  main.append(
    h('div', { class: 'shop' },
      h('header', null, h('h1', { tabindex: '-1' }, 'Make a game'),
        h('p', { class: 'lead' }, 'Change the rules, see at once who wins and how fair it is, play it, and send it to others.')),
      h('div', { class: 'bench' },
        h('section', { class: 'sheet', 'aria-label': 'Rules' },
          h('fieldset', null, h('legend', null, 'How do you want to write it?'), pills('way', WAYS, way, turn)),
          labelled('start', 'Start from', from),
          area, said, actions, shared,
        ),
        side,
      ),
      truth.element,
      gallery(),
    ),
  );
  open();

  /** Show the game that there is now, and look at it. */
  function open() {
    says = known = null;
    offer();
    act();
    shared.replaceChildren();
    area.replaceChildren(way === 'form' ? h('p', { class: 'small' }, 'One moment …') : code.element);
    code.show(draft.kind, draft.text);
    void look();
  }

  /** Another game is open: take away what is shown of the one before. */
  function clear() {
    shown = null;
    name = '';
    side.replaceChildren();
    truth.none();
  }

  /** What one may start from. */
  function offer() {
    const games = GALLERY.filter((one) => one.draft.kind === draft.kind);
    const kept = drafts().filter((one) => one.kind === draft.kind);
    from.replaceChildren(
      h('option', { value: '', selected: true }, 'this game'),
      h('optgroup', { label: 'A game that is ready' }, games.map(({ file, title }) => h('option', { value: `start:${file}` }, title))),
      kept.length ? h('optgroup', { label: 'Kept in this browser' }, kept.map(({ text }) => h('option', { value: `kept:${text}` }, titleOf(text)))) : '',
      draft.kind === 'recipe' ? h('option', { value: 'kept:title = "My game"\n\n[numbers]\nkind = "any"\nto = 3\n\n[totals]\nwhose = "shared"\n\n[end]\ntarget = 10\n' }, 'nearly nothing') : '',
    );
  }

  /** @param {string} value */
  function picked(value) {
    const [how, rest] = [value.split(':', 1)[0], value.slice(value.indexOf(':') + 1)];
    if (how === 'start') take(start(rest));
    if (how === 'kept') take({ ...draft, text: rest });
  }

  /** Keep the game among those of this browser: when somebody is done with it, not at every key. */
  const remember = () => known && keepDraft(known.draft, known.title);

  /** Another game: nothing of the one before goes on. @param {Draft} other */
  function take(other) {
    remember();
    maker.anew();
    clear();
    draft = other;
    keepLast(draft);
    way = draft.kind === 'python' ? 'python' : way === 'python' ? 'form' : way;
    for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (main.querySelectorAll('[name="way"]'))) input.checked = input.value === way;
    open();
  }

  /** Write it another way. @param {string} other */
  function turn(other) {
    way = other;
    const kind = way === 'python' ? 'python' : 'recipe';
    if (kind === draft.kind) return open();
    remember();
    maker.anew();
    clear();
    draft = last(kind) ?? start(FIRST[kind]);
    keepLast(draft);
    open();
  }

  /** @param {string} text */
  function changed(text) {
    draft = { ...draft, text };
    keepLast(draft);
    clearTimeout(timer);
    timer = window.setTimeout(look, PAUSE);
  }

  /** Look at the game as it is now: its laws, a board to try it, who wins. */
  async function look() {
    const now = ++visit;
    const mine = draft;
    const fresh = () => now === visit;
    if (mine.text.length > LONGEST) return wrong(new Refused(TOO_LONG));
    said.textContent = mine.kind === 'recipe' ? 'Looking at it …' : 'Python is being loaded, which takes some seconds …';
    try {
      await maker.loaded(mine);
      if (!fresh()) return;
      said.textContent = 'Looking at it …';
      const found = await maker.check(mine);
      if (!fresh()) return;
      said.textContent = '';
      name = found.name;
      ready();
      known = { draft: mine, title: found.info.title };
      if (way === 'form' && !says) form(found.recipe);
      says = found.recipe;
      const broken = found.laws.find(({ state }) => state === 'broken');
      tell(broken ? (broken.why ?? broken.name) : '', found.line, mine.kind === 'python');
      const board = trial(maker, mine, levels, fresh, wrong);
      shown = mine;
      side.replaceChildren(...(broken ? [] : [board.element]), about(found.info), laws(found));
      if (broken) return truth.none();
      await board.begin();
      if (fresh()) await truth.show(mine, found.info.title, fresh);
    } catch (error) {
      if (fresh()) wrong(error);
    }
  }

  /** @param {Record<string, any>} recipe */
  function form(recipe) {
    area.replaceChildren(recipeForm(recipe, () => draft.text, changed), trouble);
  }

  /** @param {unknown} error */
  function wrong(error) {
    said.textContent = '';
    if (error instanceof Refused) tell(error.own ? error.message : errorWords(error), error.line, error.own);
    else tell(errorWords(error), null);
    if (shown !== draft) {
      // What is shown is not of these rules, and they cannot be played.
      name = '';
      ready();
      for (const sheet of side.children) mark(sheet);
      truth.mark();
    }
    // What cannot be read has no form: its text has to be mended first.
    if (way === 'form' && !says) area.replaceChildren(code.element);
  }

  /** @param {string} words @param {number | null} line @param {boolean} [own] whether it is the game that says so */
  function tell(words, line, own) {
    code.tell(words, line, own);
    trouble.replaceChildren(h('bdi', null, words));
  }

  // ---- what can be done with it

  function act() {
    const file = () => (/^[a-z]\w*$/.test(titleOf(draft.text)) ? titleOf(draft.text) : titleOf(draft.text).toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '') || 'game');
    const button = (/** @type {string} */ words, /** @type {() => unknown} */ onclick, kind = 'button') => h('button', { class: kind, type: 'button', onclick }, words);
    const recipe = draft.kind === 'recipe';
    actions.replaceChildren(
      buttons(
        recipe && (playing = [
          button('Play it', () => play('easy'), 'go'),
          ...(HOST?.alone ? [] : [button('Invite a friend', () => play('friend'))]),
          button('A puzzle of it', () => name && context.go(`puzzle#of=${name}`)),
        ]),
        button('Share', async () => copyLink(await linkTo(draft), shared)),
        button('Save as a file', () => download(`${file()}.${recipe ? 'toml' : 'py'}`, draft.text)),
      ),
      recipe ? '' : prompt(),
    );
    ready();
  }

  /** Only what is a game can be played. */
  function ready() {
    for (const one of playing) one.setAttribute('aria-disabled', String(!name));
  }

  /** A real match, with hints and a review. @param {string} opponent */
  async function play(opponent) {
    if (name) await begin(context, { game: name, opponent });
  }

  /** What a language model is asked, so that it writes the game. */
  function prompt() {
    const wish = h('input', { id: 'wish', autocomplete: 'off', maxlength: 300 });
    const done = h('span', { role: 'status' });
    const copy = async () => {
      const text = (STARTS['prompt.txt'] ?? '')
        .replace('{wish}', () => wish.value.trim() || 'something new with numbers, short, and fair')
        .replace('{first}', () => STARTS['last.txt'] ?? '')
        .replace('{second}', () => STARTS['dice.txt'] ?? '');
      const field = h('textarea', { readonly: true, class: 'unseen', 'aria-label': 'The prompt' });
      field.value = text;
      shared.replaceChildren(field);
      done.textContent = (await copied(text, field)) ? '✓ Copied. Paste it to the chatbot, and its answer here.' : 'It is marked: copy it.';
    };
    return h('details', null, h('summary', null, 'Let a chatbot write it'),
      h('p', { class: 'small' }, 'The prompt says what a game has to have, with two examples. Any language model can answer it; what it writes is checked here.'),
      labelled('wish', 'Your wish', wish),
      buttons(h('button', { class: 'button', type: 'button', onclick: copy }, 'Copy a prompt for a chatbot'), done));
  }

  /** Ten games that are fun, each with what is true of it. */
  function gallery() {
    return h('section', { class: 'sheet wide', 'aria-labelledby': 'gallery' },
      h('h2', { id: 'gallery' }, 'Games to start from'),
      h('ul', { class: 'gallery' }, GALLERY.filter(({ line }) => line).map(({ draft: one, title, line }) =>
        h('li', null, h('h3', null, title), h('p', null, line),
          h('button', { class: 'button', type: 'button', 'aria-label': `Take it: ${title}`, onclick: () => (take(one), scrollTo(0, 0)) }, 'Take it')))));
  }

  return () => {
    remember();
    clearTimeout(timer);
    visit++;
    maker.anew();
  };
}
