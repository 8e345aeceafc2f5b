// Setting up a game: who, who begins, how many rounds, and the house rules.

import { HOST } from '../host.js';
import { dialog, h } from '../parts/dom.js';
import * as keep from '../parts/keep.js';
import { fairLine } from '../parts/fairness.js';
import { labelled, nameField, pills, select } from '../parts/fields.js';
import { sign } from '../parts/words.js';

/** @import { Games, GameInfo, NewMatch, Pair, Setting, SettingInfo } from '../wire.d.ts' */

/** @type {Pair<string>[]} */
const OPPONENTS = [['computer', 'the computer'], ['friend', 'a friend'], ['screen', 'two at this screen']];
if (HOST?.alone) OPPONENTS.splice(1, 1);
/** @type {Pair<string>[]} */
const BEGINS = [['1', 'I begin'], ['2', 'the other begins'], ['toss', 'toss a coin']];

/** @param {string | null | undefined} typed */
const signs = (typed) => [...(typed ?? '')].map(sign).join(' ');

/** What a setting may be and what it usually is. @param {SettingInfo} info @param {SettingInfo[]} all */
function range({ kind, low, high, up_to, needed, classic }, all) {
  if (kind === 'signs') return `${signs(needed)} is always among them; usually ${signs(String(classic))}`;
  const most = all.find(({ name }) => name === up_to)?.meaning ?? high;
  return `${low} to ${most}, usually ${classic}`;
}

/** @param {SettingInfo} info @param {number} _ @param {SettingInfo[]} all */
export function field(info, _, all) {
  const id = `set-${info.name}`;
  if (info.kind === 'yesno') return labelled(id, info.meaning, h('input', { id, name: id, type: 'checkbox', checked: info.classic === true }));
  const about = h('small', { id: `${id}-about` }, [info.more, range(info, all)].filter(Boolean).join('; '));
  const common = { id, name: id, 'aria-describedby': `${id}-about` };
  if (info.kind === 'number') {
    const bounds = { required: true, value: info.classic, min: info.low, max: info.high };
    return labelled(id, info.meaning, h('input', { ...common, type: 'number', inputmode: 'numeric', ...bounds }), about);
  }
  return h('fieldset', { class: 'field' },
    h('legend', null, info.meaning),
    h('span', { class: 'pills' },
      [...(info.signs ?? '')].map((typed) =>
        h('label', null,
          h('input', {
            type: 'checkbox',
            name: id,
            value: typed,
            disabled: info.needed === typed,
            checked: String(info.classic).includes(typed),
            'aria-describedby': `${id}-about`,
          }),
          h('span', null, sign(typed)),
        ),
      ),
    ),
    about,
  );
}

/** @param {SettingInfo} info @param {HTMLFormElement} form @returns {Setting} */
export function chosen(info, form) {
  const inputs = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll(`[name="set-${info.name}"]`)]);
  if (info.kind === 'signs')
    return inputs
      .filter((one) => one.checked)
      .map((one) => one.value)
      .join('');
  return info.kind === 'yesno' ? !!inputs[0]?.checked : Number(inputs[0]?.value);
}

/**
 * A setting that another one bounds goes along with it, where it was as large as it could be. What somebody typed
 * stays: the browser says where it is too much.
 * @param {SettingInfo[]} settings
 * @param {Event} [event]
 */
export const bound = (settings, event) =>
  settings.forEach(({ name, up_to }) => {
    const [it, other] = [name, up_to].map(
      (one) => /** @type {HTMLInputElement | null} */ (document.getElementById(`set-${one}`)),
    );
    if (!it || !other?.value || !up_to) return;
    if (event?.target === other && it.value === it.max) it.value = other.value;
    it.max = other.value;
  });

/**
 * The house rules of a game as fields of a form, and how fair they are.
 * @param {GameInfo} game
 * @param {() => HTMLFormElement} form where they stand
 */
export function houseRules({ game, settings, atlas }, form) {
  /** What is not classic. */
  const read = () =>
    Object.fromEntries(
      settings.map((info) => /** @type {const} */ ([info, chosen(info, form())])).filter(([{ classic }, value]) => value !== classic).map(([{ name }, value]) => [name, value]),
    );
  // Of rules that cannot be, the browser says so at the start; until then nothing new is said of them.
  const fair = atlas ? fairLine(game, () => (form().querySelector('[name^=set-]:invalid') ? null : read())) : null;
  /** @param {Event} [event] what was changed, or typed */
  const renew = (event) => {
    bound(settings, event);
    const other = event?.target instanceof HTMLInputElement && !event.target.name.startsWith('set-');
    if (event?.type !== 'change' && !other) void fair?.renew();
  };
  return { fields: settings.map(field), line: fair?.line, read, renew };
}

/**
 * @param {GameInfo} game
 * @param {Games} games
 * @param {(wish: NewMatch) => Promise<string>} start answers what was wrong
 * @param {URLSearchParams} [wished] house rules to begin with, as they are typed
 */
export function setUp(game, games, start, wished) {
  const level = keep.get('level', 'easy');
  const levels = games.levels.map(({ name }) => /** @type {Pair<string>} */ ([name, name]));
  const house = houseRules(game, () => /** @type {HTMLFormElement} */ (box.querySelector('form')));
  const go = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    const text = (/** @type {string} */ name) => String(new FormData(form).get(name) ?? '').trim();
    keep.set('name', text('name'));
    const seat = text('seat');
    const opponent = text('opponent');
    const wrong = await start({
      game: game.game,
      settings: house.read(),
      opponent: opponent === 'computer' ? text('level') : opponent,
      rounds: Number(text('rounds')),
      name: text('name') || null,
      other_name: opponent === 'screen' ? text('other') || null : null,
      seat: seat === 'toss' ? seat : seat === '2' ? 2 : 1,
      marks: !!text('marks'),
    });
    if (wrong) said.textContent = wrong;
    else box.close();
  };
  const said = h('output');
  const box = dialog(
    game.title,
    h(
      'form',
      {
        onsubmit: go,
        onchange: house.renew,
        oninput: house.renew,
      },
      h('fieldset', null, h('legend', null, 'Against'), pills('opponent', OPPONENTS, 'computer')),
      labelled('level', 'How strong the computer is', select(levels, level, { id: 'level', name: 'level' })),
      labelled('name', 'Your name', ...nameField({ id: 'name', name: 'name', value: keep.get('name', ''), autocomplete: 'nickname' })),
      labelled('other', 'The other’s name', ...nameField({ id: 'other', name: 'other', autocomplete: 'off' })),
      h('fieldset', null, h('legend', null, 'Who begins'), pills('seat', BEGINS, '1')),
      labelled('rounds', 'Rounds',
        h('input', { id: 'rounds', name: 'rounds', type: 'number', inputmode: 'numeric', min: 1, max: 99, value: 1, required: true }),
        h('small', null, 'the seats change each round'),
      ),
      labelled('marks', 'Marks and sums on the board',
        h('input', { id: 'marks', name: 'marks', type: 'checkbox', checked: true, 'aria-describedby': 'marks-about' }),
        h('small', { id: 'marks-about' }, '★ wins, ✕ loses, and what each move comes to; without them both work it out themselves, and there are no hints and no coach'),
      ),
      game.settings.length > 0 && h('h3', null, 'House rules'),
      house.fields,
      said,
      h('div', { class: 'row' }, h('button', { class: 'go' }, 'Start'), house.line),
    ),
  );
  if (wished) game.settings.forEach((info) => wish(info, box, wished.get(info.name)));
  house.renew();
}

/** Put a setting as a link says it. @param {SettingInfo} info @param {HTMLElement} form @param {string | null} typed */
function wish({ kind, name }, form, typed) {
  if (typed === null) return;
  const inputs = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll(`[name="set-${name}"]`));
  inputs.forEach((one) => {
    if (kind === 'signs') one.checked = one.disabled || typed.includes(one.value);
    else if (kind === 'yesno') one.checked = typed === 'yes';
    else one.value = typed;
  });
}
