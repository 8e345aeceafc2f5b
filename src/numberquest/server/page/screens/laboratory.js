// The laboratory: change a rule and see what it does (laboratory#game=…&settings=…&players=…).

import { HOST } from '../host.js';
import { errorWords, h, row as buttons, sentence, stylesheet } from '../parts/dom.js';
import { labelled, select } from '../parts/fields.js';
import { fairWords, peopleWords } from '../parts/fairness.js';
import { GROUPS, ladder, row, scales } from '../parts/measures.js';
import { Trouble, ask } from '../parts/net.js';
import { bound, chosen, field } from './new_game.js';
import { begin } from '../parts/share.js';
import { houseRules, typed } from '../parts/words.js';

/** @import { Page, Settings } from '../page.d.ts' */
/** @import { GameInfo, Fairness, Measures } from '../wire.d.ts' */

/** The server works no longer than so many seconds for one answer. */
const MOST = 60;
/** How people play who err at times. */
const PEOPLE = 'medium';

/** @type {Page} */
export async function page(main, context) {
  await stylesheet('static/style/laboratory.css');
  const { games, levels } = await context.games();
  context.title('Laboratory');
  const asked = context.fragment;
  // It opens on a game in which choices matter, and chance has a say.
  const open = games.find(({ luck }) => luck !== null && luck > 0 && luck < 1);
  /** The settings of the rules that others are compared with, as they are typed; null where there are none. */
  let beside = asked.get('beside');
  const found = h('div', { class: 'found' });
  const rules = h('div', { class: 'rules' });
  const choice = (/** @type {string} */ id, /** @type {string} */ label, /** @type {[string, string][]} */ options, /** @type {string} */ at) =>
    labelled(id, label, select(options, at, { id, name: id }));
  const [first, second] = (asked.get('players') ?? '').split(',');
  const names = levels.map(({ name }) => /** @type {[string, string]} */ ([name, name]));
  const level = (/** @type {string | undefined} */ name) => (names.some(([one]) => one === name) ? String(name) : PEOPLE);
  const form = h(
    'form',
    { class: 'sheet', onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void measure()),
      onchange: (/** @type {Event} */ event) => (event.target === form.elements.namedItem('lab-game') ? ((beside = null), offer('')) : bound(game().settings, event)) },
    choice('lab-game', 'Game', games.map((one) => [one.game, one.short_title]), asked.get('game') ?? open?.game ?? ''),
    rules,
    choice('lab-1', 'Player 1 plays', names, level(first)),
    choice('lab-2', 'Player 2 plays', names, level(second)),
    h('p', { class: 'small' }, 'perfect never errs; medium, about like people, makes any move one time in four; random never thinks.'),
    buttons(h('button', { class: 'go' }, 'Measure')),
  );
  const value = (/** @type {string} */ id) => /** @type {HTMLSelectElement} */ (form.elements.namedItem(id)).value;
  const game = () => /** @type {GameInfo} */ (games.find((one) => one.game === value('lab-game')));

  /** Show the rules of the game that was picked. @param {string} wished settings as they are typed */
  function offer(wished) {
    const { settings } = game();
    rules.replaceChildren(...settings.map(field));
    for (const [name, set] of wished.split(' ').map((one) => one.split('='))) {
      for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (rules.querySelectorAll(`[name="set-${CSS.escape(name ?? '')}"]`))) {
        if (input.type !== 'checkbox') input.value = set ?? '';
        else input.checked = input.value === 'on' ? set === 'yes' : !!set?.includes(input.value);
      }
    }
    bound(settings);
  }

  /** What was picked, without what is classic. @returns {Settings} */
  const settings = () =>
    Object.fromEntries(game().settings.map((info) => /** @type {const} */ ([info.name, chosen(info, form), info.classic]))
      .filter(([, now, classic]) => now !== classic));

  let work = new AbortController();
  async function measure() {
    work.abort();
    const { signal } = (work = new AbortController());
    const set = settings();
    const of = (/** @type {string} */ rules) => new URLSearchParams({ game: game().game, settings: rules, players: `${value('lab-1')},${value('lab-2')}` });
    const wish = of(typed(set));
    history.replaceState(null, '', `laboratory#${wish}${beside === null ? '' : `&${new URLSearchParams({ beside })}`}`);
    const fair = h('p');
    const bar = h('progress', { max: MOST, value: 0, 'aria-label': 'So long it has worked' });
    const quoted = typed(set).split(' ').filter(Boolean).map((one) => ` --set ${/^[\w.=+-]+$/.test(one) ? one : `'${one}'`}`).join('');
    const command = h('p', { class: 'small' }, 'On your own computer, however long it takes: ',
      h('code', null, `numberquest measure ${game().game}${quoted} --players ${wish.get('players')}`));
    const cancel = h('button', { class: 'button', type: 'button', onclick: () => work.abort() }, 'Cancel');
    const waiting = h('p', { role: 'status' }, 'Looking at every position …');
    found.replaceChildren(h('section', { class: 'sheet' }, waiting, bar, fair, command, buttons(cancel)));
    const clock = setInterval(() => (bar.value += 1), 1000);
    // What the atlas knows is there at once.
    void ask(`fairness?${new URLSearchParams({ game: game().game, settings: typed(set) })}`).then((known) => fair.append(`${fairWords(/** @type {Fairness} */ (known).value)} ${peopleWords(/** @type {Fairness} */ (known))}`), () => undefined);
    try {
      const asking = [wish, ...(beside === null ? [] : [of(beside)])].map((one) => ask(`measures?${one}`, { signal }));
      const [measures, other] = /** @type {Measures[]} */ (await Promise.all(asking));
      if (signal.aborted || !measures) return;
      found.replaceChildren(...shown(measures, game(), set, other));
      // A reader hears who wins; the rest is there to be looked through.
      context.say(`Measured. ${found.querySelector('figcaption')?.textContent ?? ''}.`);
    } catch (error) {
      waiting.setAttribute('role', 'alert');
      waiting.textContent = error instanceof Trouble && error.code === 'too-large' ? `To measure these rules takes more than ${HOST?.alone ? 'a page can take' : 'this server gives to one question'}.` : errorWords(error);
      bar.remove();
      cancel.remove();
    } finally {
      clearInterval(clock);
    }
  }

  /** @param {Measures} measured @param {GameInfo} info @param {Settings} set @param {Measures} [other] */
  function shown({ title, measures, ladder: steps, players, positions }, info, set, other) {
    const house = houseRules(info, set) || (other ? 'the classic rules' : '');
    const first = (/** @type {Measures} */ { measures: all }) => scales(all.find(({ name }) => name === 'value')?.value ?? 0.5, all.find(({ name }) => name === 'draw')?.value ?? 0);
    const compare = (/** @type {string | null} */ rules) => () => ((beside = rules), rules === null ? void measure() : (hint.textContent = 'Now change a rule, and press Measure: both stand side by side.'));
    const hint = h('p', { role: 'status' });
    const of = (/** @type {string} */ name) => measures.find((one) => one.name === name);
    const group = (/** @type {readonly string[]} */ names) => h('ul', { class: 'measures' }, names.map((name) => of(name)).map((one) => one && row(one, other?.measures.find(({ name }) => name === one.name))));
    return [
      h('section', { class: 'sheet result' },
        h('h2', null, `${title}, ${players.join(' against ')}`),
        other && [h('p', null, 'A: ', beside || 'the classic rules'), first(other)],
        house && h('p', null, other ? `B: ${house}` : sentence(house)),
        scales(of('value')?.value ?? 0.5, of('draw')?.value ?? 0),
        h('p', { class: 'small' }, `Worked out exactly, from ${positions.toLocaleString('en')} positions. Nothing was played out.`),
        buttons(h('button', { class: 'button', type: 'button', onclick: () => begin(context, { game: info.game, settings: set, opponent: 'easy' }) }, 'Play this'),
          h('button', { class: 'button', type: 'button', onclick: compare(other ? null : typed(set)) }, other ? 'Stop comparing' : 'Compare with other rules')),
        hint,
      ),
      ...GROUPS.map(([about, names]) => h('section', { class: 'sheet' }, h('h2', null, about), group(names))),
      ladder(steps, of('gain')) ?? '',
    ];
  }

  main.append(
    h('div', { class: 'lab' },
      h('header', null, h('h1', { tabindex: '-1' }, 'Laboratory'),
        h('p', { class: 'lead' }, 'Change a rule and see what it does: is the game fair, is it luck or skill, how long does it take, is it exciting? ',
          games.some(({ atlas }) => atlas) && h('a', { href: 'atlas' }, 'The map of all rules'))),
      form,
      found,
    ),
  );
  offer(asked.get('settings') ?? '');
  void measure();
}
