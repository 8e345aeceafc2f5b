// The atlas: every rule set of a game as a map to explore (atlas#game=…&settings=…&by=…).

import { boardOf } from '../boards/boards.js';
import { errorWords, h, row as buttons, sentence, stylesheet } from '../parts/dom.js';
import { fairWords, peopleWords } from '../parts/fairness.js';
import { labelled, select } from '../parts/fields.js';
import { drawMap, ends, legend, short } from '../heat_map.js';
import { ask } from '../parts/net.js';
import { begin } from '../parts/share.js';
import { either, NAMES, plain, sign, teller, typed } from '../parts/words.js';

/** @import { Context, Page, Settings } from '../page.d.ts' */
/** @import { BestLine, GameInfo, Map as AtlasMap, MapColumn, Setting, SettingInfo } from '../wire.d.ts' */

/** @type {Record<string, string>} */
const LABELS = {
  value: 'Player 1 with best play', people: 'Player 1 between people', length: 'Moves in a game', luck: 'Luck', skill: 'Skill', gain: 'Perfect over random',
};

/** A figure in words. @param {MapColumn} column @param {number | null | undefined} figure */
function told({ name, share }, figure) {
  if (figure === null || figure === undefined) return 'not known';
  if (name === 'value' && (figure === 0 || figure === 1)) return `Player ${figure ? 1 : 2} wins`;
  return share ? `${Number((100 * figure).toPrecision(4))} %` : String(Number(figure.toPrecision(3)));
}

/** @type {Page} */
export async function page(main, context) {
  const [, all] = await Promise.all([stylesheet('static/style/atlas.css'), context.games()]);
  const games = all.games.filter(({ atlas }) => atlas);
  context.title('Atlas');
  const body = h('div', { class: 'atlas' });
  const asked = games.find(({ game }) => game === context.fragment.get('game')) ?? games[0];
  const heading = h('header', null, h('h1', { tabindex: '-1' }, 'Atlas'),
    h('p', { class: 'lead' }, 'Every rule set of a game, worked out once: who wins with best play, and how fair it is. ',
      h('a', { href: 'laboratory' }, 'To the laboratory')));
  main.append(heading);
  if (!asked) {
    main.append(h('p', { class: 'sheet' }, 'None of the games here has an atlas.'));
    return undefined;
  }
  const pick = select(games.map(({ game, short_title }) => [game, short_title]), asked.game, { id: 'atlas-game', onchange: () => void open(pick.value, '') });
  main.append(h('div', { class: 'field pick' }, h('label', { for: 'atlas-game' }, 'Game'), pick), body);
  /** @type {() => void} */
  let redraw = () => undefined;
  let turn = 0;

  /** @param {string} slug @param {string} settings */
  async function open(slug, settings) {
    const now = ++turn;
    body.replaceChildren(h('p', { class: 'sheet', role: 'status' }, 'Unfolding the map …'));
    try {
      const [map, module] = await Promise.all([ask(`atlas?${new URLSearchParams({ game: slug })}`), boardOf(slug)]);
      const info = /** @type {GameInfo} */ (games.find(({ game }) => game === slug));
      if (now !== turn) return;
      const explorer = explore(context, info, /** @type {AtlasMap} */ (map), module, settings);
      body.replaceChildren(...explorer.parts);
      redraw = explorer.redraw;
      explorer.show();
    } catch (error) {
      if (now === turn) body.replaceChildren(h('p', { class: 'sheet', role: 'alert' }, errorWords(error)));
    }
  }
  const again = () => redraw();
  addEventListener('resize', again);
  // The next picture has the new colours.
  const later = () => requestAnimationFrame(again);
  addEventListener('theme', later);
  await open(asked.game, context.fragment.get('settings') ?? '');
  return () => {
    removeEventListener('resize', again);
    removeEventListener('theme', later);
  };
}

/**
 * @param {Context} context
 * @param {GameInfo} info
 * @param {AtlasMap} map
 * @param {Awaited<ReturnType<typeof boardOf>>} module
 * @param {string} wished settings to begin with, as they are typed
 */
function explore(context, info, map, module, wished) {
  const names = Object.keys(map.settings);
  const about = (/** @type {string} */ name) => /** @type {SettingInfo} */ (info.settings.find((one) => one.name === name));
  const values = (/** @type {string} */ name) => map.settings[name] ?? [];
  const label = (/** @type {string} */ name, /** @type {Setting} */ value) => (about(name).kind === 'signs' ? [...String(value)].map(sign).join(' ') : plain(value));
  /** Where each setting stands among its values. @type {Record<string, number>} */
  const now = {};
  const given = new Map(wished.split(' ').map((one) => /** @type {[string, string]} */ ([one.split('=')[0] ?? '', one.slice(one.indexOf('=') + 1)])));
  for (const name of names) {
    const at = values(name).findIndex((one) => plain(one) === given.get(name));
    now[name] = at >= 0 ? at : values(name).indexOf(about(name).classic);
  }
  const size = (/** @type {string} */ name) => values(name).length;
  const longest = names.filter((name) => size(name) > 1).sort((a, b) => size(b) - size(a));
  let [across, down] = /** @type {[string, string]} */ ([longest[0] ?? '', longest[1] ?? '']);
  let column = /** @type {MapColumn} */ (map.columns.find(({ name }) => name === context.fragment.get('by')) ?? map.columns[0]);

  /** The number of a rule set. @param {Record<string, number>} places */
  const rowAt = (places) => names.reduce((row, name) => row * size(name) + (places[name] ?? 0), 0);
  const here = () => rowAt(now);
  /** @param {number} row @returns {Record<string, number>} */
  function placesOf(row) {
    const places = /** @type {Record<string, number>} */ ({});
    for (const name of [...names].reverse()) {
      places[name] = row % size(name);
      row = Math.floor(row / size(name));
    }
    return places;
  }
  const exists = (/** @type {number} */ row) => map.first[row] !== null || map.columns[0]?.figures[row] !== null;
  /** @param {Record<string, number>} places @returns {Settings} */
  const settingsAt = (places) => Object.fromEntries(names.map((name) => [name, /** @type {Setting} */ (values(name)[places[name] ?? 0])]));
  const changed = () => Object.fromEntries(Object.entries(settingsAt(now)).filter(([name, value]) => value !== about(name).classic));
  const written = (/** @type {Record<string, number>} */ places) => names.map((name) => `${name} ${label(name, /** @type {Setting} */ (values(name)[places[name] ?? 0]))}`).join(', ');

  /** @type {Record<string, { input: HTMLInputElement, output: HTMLOutputElement }>} */
  const sliders = {};
  const slider = (/** @type {string} */ name) => {
    const id = `at-${name}`;
    const output = h('output', { for: id });
    const input = h('input', { id, type: 'range', min: 0, max: size(name) - 1, step: 1, value: now[name],
      oninput: () => ((now[name] = Number(input.value)), show()) });
    sliders[name] = { input, output };
    return h('div', { class: 'slider' }, h('label', { for: id }, about(name).meaning), output, input);
  };
  const choice = (/** @type {string} */ id, /** @type {string} */ words, /** @type {[string, string][]} */ options, /** @type {string} */ at, /** @type {(value: string) => void} */ change) => {
    const input = select(options, at, { id, onchange: () => (change(input.value), show()) });
    return { field: labelled(id, words, input), input };
  };
  const axes = longest.map((name) => /** @type {[string, string]} */ ([name, about(name).meaning]));
  const colour = choice('at-by', 'Coloured by', map.columns.map(({ name }) => [name, LABELS[name] ?? name]), column.name,
    (name) => (column = /** @type {MapColumn} */ (map.columns.find((one) => one.name === name))));
  const acrossBy = choice('at-across', 'Across', axes, across, (name) => ([across, down] = [name, name === down ? across : down]));
  const downBy = choice('at-down', 'Down', axes, down, (name) => ([across, down] = [name === across ? down : across, name]));

  const step = (/** @type {string} */ name, /** @type {number} */ by) => {
    const next = { ...now, [name]: Math.min(Math.max((now[name] ?? 0) + by, 0), size(name) - 1) };
    if (exists(rowAt(next))) Object.assign(now, next);
  };
  const frame = h('div', { class: 'map scroller', tabindex: 0, role: 'application', 'aria-label': 'Map of the rule sets: the arrow keys go from one to the next', 'aria-describedby': 'at-words',
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const far = event.shiftKey ? 10 : 1;
      const way = /** @type {Record<string, [string, number]>} */ ({ ArrowLeft: [across, -far], ArrowRight: [across, far], ArrowUp: [down, -1], ArrowDown: [down, 1] })[event.key];
      if (!way?.[0]) return;
      event.preventDefault();
      step(...way);
      show();
    } });
  const scale = h('p', { class: 'legend small' });
  const words = h('div', { id: 'at-words', 'aria-live': 'polite' });
  const chosen = h('section', { class: 'sheet chosen', 'aria-label': 'The chosen rules' });
  const table = h('details', { class: 'sheet', ontoggle: () => fillTable() }, h('summary', null, 'This map as a table'));

  const at = (/** @type {number} */ x, /** @type {number} */ y) => ({ ...now, [across]: x, ...(down ? { [down]: y } : {}) });
  const plane = (/** @type {number} */ x, /** @type {number} */ y) => rowAt(at(x, y));
  /** What is fair has a colour of its own. */
  const colours = () => (['value', 'people'].includes(column.name) ? map.fair : map.scale);
  function redraw() {
    const [low, high] = ends(column.figures, column.share);
    drawMap(frame, {
      across: values(across).map((one) => label(across, one)), down: down ? values(down).map((one) => label(down, one)) : [''],
      titles: [about(across).meaning, down ? about(down).meaning : ''], here: [now[across] ?? 0, down ? (now[down] ?? 0) : 0],
      figure: (x, y) => { const one = column.figures[plane(x, y)]; return one === null || one === undefined ? null : (one - low) / (high - low); },
      text: (x, y) => short(column.name, column.share, /** @type {number} */ (column.figures[plane(x, y)])),
      title: (x, y) => `${written(at(x, y))}: ${told(column, column.figures[plane(x, y)])}`, scale: colours(),
      choose: (x, y) => { if (exists(plane(x, y))) Object.assign(now, at(x, y)), show(); },
    });
    scale.replaceChildren(told({ ...column, name: '' }, low), legend(colours()), `${told({ ...column, name: '' }, high)}: ${LABELS[column.name] ?? column.name}. `,
      colours() === map.fair ? 'The lightest is fair; blue is good for Player 2, red for Player 1. ' : '', column.name === 'value' ? 'P1, P2: that player always wins. ' : '', column.figures.includes(null) ? 'Crossed out: not worked out, or no such rules.' : '');
  }

  function fillTable() {
    table.querySelector('.wide')?.remove();
    if (!table.open) return;
    const ys = down ? values(down) : [''];
    table.append(h('div', { class: 'wide scroller', tabindex: 0, role: 'region', 'aria-label': 'The map as a table' }, h('table', null,
      h('caption', null, `${LABELS[column.name] ?? column.name}; ${about(across).meaning} from top to bottom${down ? `, ${about(down).meaning} from left to right` : ''}`),
      h('thead', null, h('tr', null, h('th', { scope: 'col' }, across), ys.map((y) => h('th', { scope: 'col' }, down ? label(down, y) : '')))),
      h('tbody', null, values(across).map((x, i) => h('tr', null, h('th', { scope: 'row' }, label(across, x)), ys.map((_, j) => h('td', null, told(column, column.figures[plane(i, j)])))))))));
  }

  function show() {
    [acrossBy.input.value, downBy.input.value] = [across, down];
    // A setting that another one bounds goes along with it.
    for (const { name, up_to } of info.settings) {
      const most = up_to ? Number(values(up_to)[now[up_to] ?? 0]) : Infinity;
      while (Number(values(name)[now[name] ?? 0]) > most) now[name] = (now[name] ?? 0) - 1;
    }
    for (const [name, { input, output }] of Object.entries(sliders)) {
      const text = label(name, /** @type {Setting} */ (values(name)[now[name] ?? 0]));
      input.value = String(now[name]);
      input.setAttribute('aria-valuetext', text);
      output.textContent = text;
    }
    const wish = new URLSearchParams({ game: map.game, settings: typed(changed()), ...(column === map.columns[0] ? {} : { by: column.name }) });
    history.replaceState(null, '', `atlas#${wish}`);
    redraw();
    fillTable();
    tellChosen();
  }

  function tellChosen() {
    const row = here();
    const of = (/** @type {string} */ name) => map.columns.find((one) => one.name === name)?.figures[row] ?? null;
    const moves = map.moves[map.first[row] ?? -1] ?? [];
    const value = of('value');
    words.replaceChildren(h('h2', null, written(now)), h('p', null, `${fairWords(value)} ${peopleWords({ value, people: of('people'), length: of('length') })}`));
    const line = h('div', { class: 'line', 'aria-live': 'polite' });
    const settings = changed();
    const set = new URLSearchParams({ game: map.game, settings: typed(settings) });
    chosen.replaceChildren(
      words,
      of('length') === null
        ? h('p', { class: 'small' }, 'How long a game is, and how much luck and skill are in it, is not on the map for rules as large as these: “Measure this” works it out.')
        : h('ul', { class: 'facts' }, map.columns.filter(({ name }) => !['value', 'people'].includes(name)).map((one) =>
            h('li', null, h('span', null, LABELS[one.name] ?? one.name), h('b', null, told(one, one.figures[row]))))),
      buttons(
        h('button', { class: 'go', type: 'button', onclick: () => void begin(context, { game: map.game, settings, opponent: 'easy' }) }, 'Play this'),
        h('button', { class: 'button', type: 'button', onclick: () => void why(line, set) }, 'Why?'),
        h('a', { class: 'button', href: `laboratory#${set}` }, 'Measure this')),
      ...(moves.length ? [h('details', null, h('summary', null, 'How to begin'),
        h('p', null, value === 0 ? 'Every first move loses against best play.' : `Best is ${either(moves, (one) => module.written(one))}.`))] : []),
      line,
    );
  }

  /** @param {HTMLElement} place @param {URLSearchParams} set */
  async function why(place, set) {
    place.replaceChildren(h('p', { role: 'status' }, 'Looking for the best moves of both …'));
    try {
      const found = /** @type {BestLine} */ (await ask(`best-line?${set}`));
      const { line, result } = teller(info, module, found.settings, NAMES);
      const sure = found.chances.every((one) => one === 0 || one === 1);
      place.replaceChildren(
        h('h3', null, 'If both play as well as they can'),
        h('ol', { class: 'best-line' }, found.history.map((entry, at) =>
          h('li', null, line(entry), ' ', !sure && h('small', null, `Player 1’s chance is now ${told({ name: '', meaning: '', share: true, figures: [] }, found.chances[at + 1])}.`)))),
        ...(found.outcome ? [h('p', null, h('b', null, sentence(result(found.outcome))))] : []),
        sure ? h('p', { class: 'small' }, `Player ${found.chances[0] ? 2 : 1} could play otherwise, and would lose all the same.`) : h('p', { class: 'small' }, 'One deal of many: what was uncovered is the same each time you look.'),
      );
    } catch (error) {
      place.replaceChildren(h('p', { role: 'alert' }, errorWords(error)));
    }
  }

  /** The fairest of all, for a click. */
  function fairest() {
    const [best, people] = /** @type {[MapColumn, MapColumn]} */ (map.columns);
    const by = map.fairest_by === 'value' ? best : people;
    const figures = best.figures;
    const known = figures.filter((one) => one !== null);
    const [ones, twos] = [known.filter((one) => one === 1).length, known.filter((one) => one === 0).length];
    const many = (/** @type {number} */ one) => one.toLocaleString('en');
    const alike = map.repeated - map.out_of_reach;
    const unknown = known.length - people.figures.filter((one) => one !== null).length;
    return h('section', { class: 'sheet' },
      h('h2', null, `${many(known.length)} rule sets`),
      h('p', null, [ones && `With best play Player 1 always wins ${many(ones)} of them.`, twos && `With best play Player 2 always wins ${many(twos)}.`,
        known.length > ones + twos && `Chance has a say in ${many(known.length - ones - twos)}.`].filter(Boolean).join(' ')),
      map.fairest.length > 0 && [h('h3', null, by === best ? 'The fairest' : 'The fairest between two who err at times'),
        h('ul', { class: 'fairest' }, map.fairest.map((row) => h('li', null,
          h('button', { class: 'chip', type: 'button', onclick: () => (Object.assign(now, placesOf(row)), show()) }, `${written(placesOf(row))}: ${told(by, by.figures[row])}`)))),
        h('p', { class: 'small' }, `The nearest to 50 % comes first; ${by === best ? 'of those that are as near' : 'of those that nobody could tell apart'}, the shortest game. `,
          alike > 0 && `${many(alike)} are left out because all their measures are those of another one: it is the same game. `,
          map.out_of_reach > 0 && `${many(map.out_of_reach)} are left out because nobody can reach their target, as in another one. `,
          by === people && unknown > 0 && `${many(unknown)} larger ones are left out as well: between two who err at times they have not been measured.`)]);
  }

  const parts = [
    h('section', { class: 'sheet', 'aria-label': 'The map' },
      h('div', { class: 'sliders' }, names.filter((name) => size(name) > 1).map(slider)),
      h('div', { class: 'axes' }, colour.field, longest.length > 2 && [acrossBy.field, downBy.field]),
      frame, scale, h('p', { class: 'small keys' }, 'Click a cell, move a slider, or go through the map with the arrow keys; with Shift, ten at a time.')),
    chosen, fairest(), table,
  ];
  return { parts, show, redraw };
}
