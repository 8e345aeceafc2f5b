// Building and renewing what is seen. Text only ever becomes text nodes, so nothing typed can become markup.

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, unknown>} Props */

/** What can be listened to: as properties, so that `morph` can hand them over. */
const HANDLERS = /** @type {const} */ ([
  'onclick',
  'onkeydown',
  'oninput',
  'onchange',
  'onsubmit',
  'onfocus',
  'onblur',
  'onpointerenter',
  'onpointerleave',
  'ontoggle',
  'onclose',
  'ondragover',
  'ondrop',
]);

/**
 * @param {Element} el
 * @param {Props | null} props
 * @param {(Child | Child[])[]} children
 */
function fill(el, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) Object.assign(el, { [name]: value });
    else if (name === 'vars') {
      const style = /** @type {HTMLElement} */ (el).style;
      for (const [key, part] of Object.entries(/** @type {object} */ (value))) style.setProperty(key, String(part));
    } else el.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children.flat()) {
    // A comment keeps the place of what is not there now, so that the rest is not taken for something else.
    if (child === null || child === undefined || child === false) el.append(document.createComment(''));
    else el.append(child instanceof Node ? child : String(child));
  }
}

/**
 * An element: `h('button', { class: 'go', onclick }, 'Go')`. `vars` are style properties.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Props | null} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props, ...children) {
  const el = document.createElement(tag);
  fill(el, props ?? null, children);
  return el;
}

/**
 * The same for drawings.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Props | null} [props]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, props, ...children) {
  const el = document.createElementNS('http://www.w3.org/2000/svg', tag);
  fill(el, props ?? null, children);
  return el;
}

/**
 * Make what is shown look like `fresh`, keeping every element that can stay: so the focus stays, and things move
 * from where they were.
 * @template {Node} T
 * @param {T} old
 * @param {Node} fresh
 * @returns {T}
 */
export function morph(old, fresh) {
  const key = (/** @type {Node} */ node) => (node instanceof Element ? node.getAttribute('data-id') : null);
  if (old.nodeName !== fresh.nodeName || key(old) !== key(fresh)) {
    /** @type {ChildNode} */ (/** @type {unknown} */ (old)).replaceWith(fresh);
    return /** @type {T} */ (fresh);
  }
  if (!(old instanceof Element && fresh instanceof Element)) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return old;
  }
  // Whoever opened or closed something keeps it so, until there is a new reason to open it.
  const opens = old.getAttribute('data-opens') !== fresh.getAttribute('data-opens');
  if (opens) old.toggleAttribute('open', fresh.hasAttribute('open'));
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && name !== 'style' && name !== 'open') old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (name !== 'style' && name !== 'open' && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const [was, now] = /** @type {HTMLElement[]} */ ([old, fresh]);
  if (was.style.cssText !== now.style.cssText) was.style.cssText = now.style.cssText;
  for (const name of HANDLERS) if (was[name] !== now[name]) Object.assign(was, { [name]: now[name] });
  const [kept, wanted] = [[...old.childNodes], [...fresh.childNodes]];
  wanted.forEach((child, at) => (kept[at] ? morph(kept[at], child) : old.append(child)));
  kept.slice(wanted.length).forEach((child) => child.remove());
  return old;
}

/**
 * Load a style sheet once, before what needs it is shown.
 * @param {string} href
 * @returns {Promise<void>}
 */
export function stylesheet(href) {
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  return new Promise((done) => {
    const link = h('link', { rel: 'stylesheet', href });
    link.onload = link.onerror = () => done();
    document.head.append(link);
  });
}

/**
 * A dialog that closes with Escape, with its button, and when it is done.
 * @param {string} title
 * @param {...(Child | Child[])} children
 */
export function dialog(title, ...children) {
  const el = h('dialog', { class: 'sheet', 'aria-labelledby': 'dialog-title', onclose: () => el.remove() },
    h('div', { class: 'dialog-top' },
      h('h2', { id: 'dialog-title' }, title),
      h('button', { class: 'quiet', type: 'button', 'aria-label': 'Close', onclick: () => el.close() }, '✕'),
    ),
    ...children,
  );
  document.body.append(el);
  el.showModal();
  return el;
}

/**
 * A page with nothing on it but what happened, and the way home.
 * @param {string} title
 * @param {string} words
 */
export const sheet = (title, words) =>
  h('section', { class: 'sheet narrow' },
    h('h1', { tabindex: '-1' }, title),
    h('p', null, words),
    row(h('a', { class: 'go', href: './' }, 'To the games')),
  );

/** Show `fresh` as all there is on a page, keeping what can stay. @param {HTMLElement} main @param {HTMLElement} fresh */
export function renew(main, fresh) {
  if (main.firstElementChild) morph(main.firstElementChild, fresh);
  else main.append(fresh);
}

/** Buttons and links in a row. @param {...(Child | Child[])} children */
export const row = (...children) => h('p', { class: 'row' }, ...children);

/**
 * Ask before something is done that cannot be undone.
 * @param {string} title
 * @param {string} words
 * @param {[string, () => void]} yes
 * @param {string} no
 */
export function confirm(title, words, [yes, act], no) {
  const leave = h('button', { class: 'button', onclick: () => box.close() }, no);
  const box = dialog(title, h('p', null, words), row(h('button', { class: 'go', onclick: () => (box.close(), act()) }, yes), leave));
}

/** A player's shape, for colour alone would not do; 0 is a number that came up. @param {number} player */
export const mark = (player) => h('span', { class: `mark p${player}`, 'aria-hidden': 'true' }, ['■', '●', '◆'][player]);

/** What flies about when somebody has won. @param {string} signs */
export const confetti = (signs) =>
  h('div', { class: 'confetti', 'aria-hidden': 'true' }, [...signs].map((sign, at) => h('i', { vars: { '--n': at } }, sign)));

/** What went wrong, in words. @param {unknown} error */
export const errorWords = (error) => sentence(error instanceof Error ? error.message : String(error));

/** @param {string} text */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');

/** Hand a text over as a file. @param {string} name @param {string} text @param {string} [type] */
export function download(name, text, type = 'text/plain') {
  const address = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
