// A small editor for a file of rules: line numbers, indentation, and mistakes at their line. Everything else a text field
// of the browser does already, for keyboards, readers and phones.

import { h } from './dom.js';

const INDENT = '    ';

/** The line that begins before a place, up to it. @param {string} text @param {number} at */
const lineBefore = (text, at) => text.slice(text.lastIndexOf('\n', at - 1) + 1, at);

/** What Enter puts there: as far in as the line before, and farther where a block begins. @param {string} before */
export const newLine = (before) => `\n${/^[ ]*/.exec(before)?.[0] ?? ''}${/:\s*(#.*)?$/.test(before) ? INDENT : ''}`;

/** What it is called, and what is to be known about it. */
const ABOUT = {
  python: ['The rules, in Python', 'One class, as in “Make your own game”.'],
  recipe: ['The recipe', 'A section for each step of the form. All keys are in docs/recipes.md.'],
};

/** @param {(text: string) => void} changed */
export function editor(changed) {
  const label = h('label', { for: 'editor' });
  const hint = h('p', { class: 'small', id: 'editor-hint' });
  const gutter = h('pre', { class: 'gutter', 'aria-hidden': 'true' });
  const trouble = h('p', { class: 'trouble', id: 'editor-trouble', role: 'status' });
  let leaving = false;
  /** @type {number | null} */
  let wrong = null;
  const area = h('textarea', {
    id: 'editor', class: 'code', rows: 22, spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', wrap: 'off',
    'aria-describedby': 'editor-hint editor-trouble', oninput: () => (number(), changed(area.value)), onkeydown: keys,
  });
  // As it comes in a file: what scrolls here scrolls there.
  area.onscroll = () => void (gutter.scrollTop = area.scrollTop);

  /** Type something, so that it can be undone. @param {string} text */
  function type(text) {
    if (!document.execCommand('insertText', false, text)) area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
    number();
    changed(area.value);
  }

  /** @param {KeyboardEvent} event */
  function keys(event) {
    // Whoever steers by keyboard gets out: Escape, and then Tab.
    if (event.key === 'Escape') return void (leaving = true);
    const { selectionStart: from, selectionEnd: to, value } = area;
    if (event.key === 'Tab' && !leaving && from === to && !event.shiftKey) {
      event.preventDefault();
      type(INDENT.slice(lineBefore(value, from).length % INDENT.length));
    } else if (event.key === 'Enter' && from === to && !event.isComposing) {
      event.preventDefault();
      type(newLine(lineBefore(value, from)));
    }
    leaving = false;
  }

  function number() {
    const lines = area.value.split('\n').length;
    gutter.replaceChildren(...Array.from({ length: lines }, (_, at) => h('span', { class: at + 1 === wrong ? 'wrong' : null }, `${at + 1}\n`)));
  }

  /** @param {string} words what is wrong; empty: nothing @param {number | null} line @param {boolean} [own] whether it is the game that says so */
  function tell(words, line, own) {
    wrong = line;
    number();
    area.setAttribute('aria-invalid', String(words !== ''));
    trouble.replaceChildren(own && words ? 'Python says of this file: ' : '', h('bdi', { class: own ? 'foreign' : null }, words), ' ', line && words ? h('button', { class: 'text', type: 'button', onclick: () => go(line) }, `Go to line ${line}`) : '');
  }

  /** @param {number} line */
  function go(line) {
    const from = area.value.split('\n').slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
    const end = area.value.indexOf('\n', from);
    area.focus();
    area.setSelectionRange(from, end < 0 ? area.value.length : end);
  }

  const element = h('div', { class: 'editor' },
    label,
    h('div', { class: 'lines' }, gutter, area),
    trouble,
    hint,
  );
  /** @param {keyof typeof ABOUT} kind @param {string} text */
  const show = (kind, text) => {
    const [called, known] = ABOUT[kind];
    label.textContent = called ?? '';
    hint.textContent = `${known} Tab indents; to leave the field with the keyboard press Escape, then Tab.`;
    area.value = text;
    tell('', null);
  };
  return { element, show, tell };
}
