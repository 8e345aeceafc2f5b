// Keeps the whole page, so that it works without a network. Each version has a cache of its own.

/** Every file, by its address with its version; written in when the page is put together. @type {string[]} */
const FILES = [];
const VERSION = 'numberquest-site-';

const keeper = /** @type {any} */ (self);
const root = new URL('./', keeper.location.href);
const cached = new Set(FILES.map((one) => new URL(one, root).href));

keeper.addEventListener('install', (/** @type {any} */ event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES)).then(() => keeper.skipWaiting()));
});

keeper.addEventListener('activate', (/** @type {any} */ event) => {
  const old = (/** @type {string[]} */ names) => names.filter((name) => name.startsWith('numberquest-site-') && name !== VERSION);
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(old(names).map((name) => caches.delete(name))))
      .then(() => keeper.clients.claim()),
  );
});

/** The page of an address: there is a folder for each, and one for all matches. @param {URL} url */
function pageOf({ href, search }) {
  const [first = '', second = ''] = href.slice(root.href.length).split(/[?#]/)[0]?.split('/').filter(Boolean) ?? [];
  if (first === 'm') return new URL(`m/${second ? `?${second}` : search}`, root).href;
  return new URL(first && `${first}/${first === 'lesson' && second ? `${second}/` : ''}`, root).href;
}

/** @param {string} address */
const found = (address) => caches.match(address, { ignoreSearch: address.startsWith(new URL('m/', root).href) });

keeper.addEventListener('fetch', (/** @type {any} */ event) => {
  const request = /** @type {Request} */ (event.request);
  if (request.method !== 'GET' || !request.url.startsWith(root.href)) return;
  const url = new URL(request.url);
  url.hash = '';
  if (request.mode !== 'navigate') {
    if (cached.has(url.href)) event.respondWith(found(url.href).then((one) => one ?? fetch(request)));
    return;
  }
  const page = pageOf(url);
  if (page !== url.href) event.respondWith(Response.redirect(page));
  else event.respondWith(found(page).then((one) => one ?? fetch(request).catch(() => Response.redirect(root.href))));
});
