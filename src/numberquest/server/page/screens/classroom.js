// A class: coming in (class, class/CODE), or opening one; the teacher's screens and the pupils' come where they are needed.

import { errorWords, h, row, sheet, stylesheet } from '../parts/dom.js';
import { KEPT } from '../parts/classroom.js';
import { nameField } from '../parts/fields.js';
import * as keep from '../parts/keep.js';
import { ask, newKey, Trouble } from '../parts/net.js';

/** @import { Context } from '../page.d.ts' */
/** @import { ClassSeated } from '../wire.d.ts' */
/** @import { Gone, Kept } from '../parts/classroom.js' */

/** After so long, in milliseconds, a class is gone at the server, and here what was kept of it: the teacher's list. */
const DAY = 24 * 3600 * 1000;

/** @param {HTMLElement} main @param {Context} context */
export async function page(main, context) {
  await stylesheet('static/style/class.css');
  keep.forgetOld(KEPT(''), DAY);
  const code = context.path.slice('class/'.length).toUpperCase();
  const { fragment } = context;
  const [classroom, teacher] = [fragment.get('class'), fragment.get('teacher')];
  const before = /** @type {Kept} */ (keep.get(KEPT(code), { code }));
  if (code && classroom && teacher) keep.set(KEPT(code), { ...before, classroom, teacher, at: before.at ?? Date.now() });
  const kept = /** @type {Kept} */ (keep.get(KEPT(code), { code }));
  const gone = (/** @type {Gone} */ what) => {
    keep.forget(KEPT(code));
    const [title, words] = what === 'class' ? ['This class is gone.', 'What was kept of it has been removed: the names, the games, and the answers.']
      : ['This place is no longer yours.', 'It belongs to another device now.'];
    context.title(title);
    main.replaceChildren(sheet(title, words));
  };
  if (kept.classroom && kept.teacher) return (await import('./class_teacher.js')).teach(main, context, kept, gone);
  const enter = async () => (await import('./class_pupil.js')).learn(main, context, /** @type {Kept} */ (keep.get(KEPT(code), { code })), gone);
  if (kept.classroom && kept.token) return enter();
  context.title(code ? 'Come in' : 'A class');
  const come = comeIn(context, code);
  main.replaceChildren(h('div', { class: 'class-door' }, come, !code && (await import('./class_open.js')).opening(context, await context.games())));
  if (code) come.querySelector('input')?.focus();
  return undefined;
}

/** The form by which a pupil comes in. @param {Context} context @param {string} code as the address has it */
function comeIn(context, code) {
  const said = h('output');
  const lost = h('div');
  /** @param {string} typed @param {string} name @param {boolean} again */
  async function join(typed, name, again) {
    const known = /** @type {Kept} */ (keep.get(KEPT(typed), { code: typed }));
    const [key, at] = [known.key ?? newKey(), known.at ?? Date.now()];
    keep.set(KEPT(typed), { ...known, key, at });
    try {
      /** @type {ClassSeated} */
      const { classroom, token, seat } = await ask('classes/join', { body: { code: typed, name: name || null, key, again } });
      keep.set(KEPT(seat.code), { ...known, code: seat.code, key, classroom, token, at });
      context.go(`class/${seat.code}`, !!code);
    } catch (error) {
      said.textContent = errorWords(error);
      // Nothing is known of a class that does not exist.
      if (error instanceof Trouble && error.code === 'not-found') keep.forget(KEPT(typed));
      const taken = error instanceof Trouble && error.problem.said?.code === 'class-name-taken';
      lost.replaceChildren(taken ? row(h('button', { class: 'button', type: 'button', onclick: () => join(typed, name, true) }, `I am ${name}, and this is another device`)) : '');
    }
  }
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    const text = (/** @type {string} */ name) => String(form.get(name) ?? '').trim();
    void join(text('code').toUpperCase().replace(/[\s-]/g, ''), text('name'), false);
  };
  return h('form', { class: 'sheet', onsubmit: submit, 'aria-labelledby': 'come' },
    h('h1', { tabindex: '-1', id: 'come' }, code ? `Come in to class ${code}` : 'Come in to your class'),
    code
      ? h('input', { type: 'hidden', name: 'code', value: code })
      : h('p', { class: 'asks' }, h('label', { for: 'code' }, 'The four letters on the board'),
          h('input', { id: 'code', name: 'code', class: 'letters', required: true, minlength: 4, maxlength: 10, size: 6, autocapitalize: 'characters', autocomplete: 'off', spellcheck: 'false' })),
    h('div', { class: 'asks' }, h('label', { for: 'pupil' }, 'Your name'), ...nameField({ id: 'pupil', name: 'name', autocomplete: 'off', 'aria-describedby': 'pupil-about' }),
      h('small', { id: 'pupil-about' }, 'Has your teacher a list? Then type your number. Does everybody get an animal? Then leave it empty.')),
    said, lost,
    row(h('button', { class: 'go' }, 'Come in')),
    h('p', { class: 'small' }, 'No account. Names and games are gone tomorrow.'));
}
