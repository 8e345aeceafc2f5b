// Opening a class, in under a minute.

import { errorWords, h, row } from '../parts/dom.js';
import { KEPT } from '../parts/classroom.js';
import { labelled, pills, select } from '../parts/fields.js';
import * as keep from '../parts/keep.js';
import { ask, newKey } from '../parts/net.js';
import { first } from './home.js';
import { houseRules } from './new_game.js';

/** @import { Context } from '../page.d.ts' */
/** @import { ClassOpened, Games, Pair } from '../wire.d.ts' */

/** How they meet, and what that is. @type {Record<string, Pair<string>>} */
const WAYS = {
  arena: ['Arena', 'Whoever is free plays the next one who is, until the time is up. Late comers are welcome.'],
  rounds: ['Rounds', 'All begin together; winners meet winners, and nobody meets anybody twice.'],
  computer: ['Against the computer', 'Everybody plays the computer, as often as they like, until the time is up.'],
  position: ['Same position', 'Nobody plays: you put positions to everybody, and all answer on their phones.'],
};
/** @type {Pair<string>[]} */
const NAMES = [['typed', 'They type them'], ['animals', 'Animals'], ['roster', 'My list']];
/** @type {Pair<string>[]} */
const RANKINGS = [['none', 'None'], ['points', 'By points'], ['moments', 'By key moments found']];

/** @param {Context} context @param {Games} games */
export function opening(context, games) {
  let game = /** @type {typeof games.games[0]} */ (first(games.games));
  const house = () => houseRules(game, () => form);
  let rules = house();
  const said = h('output');
  const place = h('div');
  const draw = () => {
    rules = house();
    place.replaceChildren(h('details', null, h('summary', null, 'Change the rules'), rules.fields), rules.line ?? '');
    rules.renew();
  };
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const data = new FormData(form);
    const text = (/** @type {string} */ name) => String(data.get(name) ?? '').trim();
    const roster = text('names') === 'roster' ? text('roster').split('\n').map((line) => line.trim()).filter(Boolean) : [];
    const wish = {
      game: game.game, settings: rules.read(), way: text('way'), minutes: Number(text('minutes')), rounds: Number(text('rounds')), level: text('level'),
      marks: !!text('marks'), hints: !!text('hints'), names: text('names'), ranking: text('ranking'), roster: roster.length, key: newKey(),
    };
    try {
      /** @type {ClassOpened} */
      const { classroom, code, token } = await ask('classes', { body: wish });
      keep.set(KEPT(code), { code, classroom, teacher: token, roster, at: Date.now() });
      context.go(`class/${code}`);
    } catch (error) {
      said.textContent = errorWords(error);
    }
  };
  const number = (/** @type {string} */ name, /** @type {string} */ words, /** @type {number} */ value, /** @type {number} */ max) =>
    labelled(name, words, h('input', { id: name, name, type: 'number', inputmode: 'numeric', min: 1, max, value, required: true }));
  const levels = games.levels.map(({ name }) => /** @type {Pair<string>} */ ([name, name]));
  const choose = (/** @type {string} */ slug) => {
    game = games.games.find((one) => one.game === slug) ?? game;
    draw();
  };
  const form = /** @type {HTMLFormElement} */ (h('form', { class: 'sheet opening', onsubmit: submit, onchange: (/** @type {Event} */ event) => rules.renew(event), oninput: (/** @type {Event} */ event) => rules.renew(event), 'aria-labelledby': 'open' },
    h('h2', { id: 'open' }, 'Open a class'),
    h('fieldset', null, h('legend', null, 'The game'), pills('game', games.games.map((one) => [one.game, one.short_title]), game.game, choose)),
    place,
    h('fieldset', null, h('legend', null, 'How they meet'), h('div', { class: 'pills ways' },
      Object.entries(WAYS).map(([way, [words, about]]) => h('label', null, h('input', { type: 'radio', name: 'way', value: way, checked: way === 'arena' }), h('span', null, h('b', null, words), h('small', null, about)))))),
    number('minutes', 'Minutes', 15, 180),
    number('rounds', 'Rounds', 5, 20),
    labelled('level', 'How strong the computer is', select(levels, 'medium', { id: 'level', name: 'level' })),
    labelled('marks', 'Marks and sums on the board', h('input', { id: 'marks', name: 'marks', type: 'checkbox', checked: true })),
    labelled('hints', 'Hints against the computer', h('input', { id: 'hints', name: 'hints', type: 'checkbox' })),
    h('fieldset', null, h('legend', null, 'Names'), pills('names', NAMES, 'typed')),
    h('div', { class: 'asks roster' }, h('label', { for: 'roster' }, 'Your list, one name on each line'),
      h('textarea', { id: 'roster', name: 'roster', rows: 5, 'aria-describedby': 'roster-about' }),
      h('small', { id: 'roster-about' }, 'It stays in this browser. Pupils type their number in the list, and the server knows nothing but that number.')),
    h('fieldset', null, h('legend', null, 'A ranking on the board'), pills('ranking', RANKINGS, 'none')),
    said,
    row(h('button', { class: 'go' }, 'Open the class'))));
  draw();
  return form;
}
