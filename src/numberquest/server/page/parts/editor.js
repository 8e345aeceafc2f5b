// A small editor for a file of rules: line numbers, indentation, and mistakes at their line. Everything else a text field
// of the browser does already, for keyboards, readers and phones.

import { h } from './dom.js';

const INDENT = '    ';

/** The line that begins before a place, up to it. @param {string} text @param {number} at */
const lineBefore = (text, at) => text.slice(text.lastIndexOf('\n', at - 1) + 1, at);

/** What Enter puts there: as far in as the line before, and farther where a block begins. @param {string} before */
export const newLine = (before) => `\n${/^[ ]*/.exec(before)?.[0] ?? ''}${/:\s*(#.*)?$/.test(before) ? INDENT : ''}`;

/**
 * @param {string} label
 * @param {(text: string) => void} changed
 * @param {string} hint what is to be known about it
 */
export function editor(label, changed, hint) {
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

  /** @param {string} words what is wrong; empty: nothing @param {number | null} line */
  function tell(words, line) {
    wrong = line;
    number();
    area.setAttribute('aria-invalid', String(words !== ''));
    trouble.replaceChildren(h('bdi', null, words), line && words ? h('button', { class: 'text', type: 'button', onclick: () => go(line) }, `Go to line ${line}`) : '');
  }

  /** @param {number} line */
  function go(line) {
    const from = area.value.split('\n').slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
    const end = area.value.indexOf('\n', from);
    area.focus();
    area.setSelectionRange(from, end < 0 ? area.value.length : end);
  }

  const element = h('div', { class: 'editor' },
    h('label', { for: 'editor' }, label),
    h('div', { class: 'lines' }, gutter, area),
    trouble,
    h('p', { class: 'small', id: 'editor-hint' }, hint, ' Tab indents; to leave the field with the keyboard press Escape, then Tab.'),
  );
  /** @param {string} text */
  const put = (text) => {
    area.value = text;
    wrong = null;
    number();
  };
  return { element, put, tell, text: () => area.value };
}
