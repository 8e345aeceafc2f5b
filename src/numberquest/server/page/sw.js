// Keeps what was open here, so that it can be read without a network. Whatever comes from the server comes first.

/** Without these no page is shown; the server fills them in. @type {string[]} */
const SHELL = [];
const CACHE = 'numberquest';
/** The Python that answers while there is no server. */
const PYTHON = 'numberquest-python';
/** So many answers are kept, the newest. */
const MOST = 80;
/** What everybody may see, and what never changes: nothing that needs a seat. */
const KEPT = /^(static\/|api\/(games|rules|lessons|puzzles|matches\/[^/]+(\/review)?)(\?|\/daily|$))/;

const worker = /** @type {any} */ (self);
const home = new URL('./', worker.location.href);

/** What this answer is kept under: its address, behind where the page lives. @param {string} url */
const behind = (url) => url.slice(home.href.length);

worker.addEventListener('install', (/** @type {any} */ event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SHELL)).then(() => worker.skipWaiting()));
});

worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));

/** @param {Request} request @param {Response} answer */
async function keep(request, answer) {
  // Of a class nothing is kept: it is gone everywhere when it is removed.
  if (answer.headers.get('X-Keep') === 'no') return;
  const cache = await caches.open(CACHE);
  // Put last, so that the oldest are the first ones.
  await cache.delete(request);
  await cache.put(request, answer);
  const shell = SHELL.map((one) => new URL(one, home).href);
  const old = (await cache.keys()).filter(({ url }) => !shell.includes(url));
  await Promise.all(old.slice(0, Math.max(0, old.length - MOST)).map((one) => cache.delete(one)));
}

/** What came while nobody was here to keep it. @param {string} url */
async function keepLate(url) {
  if (!url.startsWith(home.href) || !KEPT.test(behind(url)) || (await caches.match(url))) return;
  const answer = await fetch(url);
  if (answer.ok) await keep(new Request(url), answer);
}

/** Have just these files, each fetched once. @param {string[]} files */
async function keepPython(files) {
  const cache = await caches.open(PYTHON);
  const wanted = files.map((one) => new URL(one, home).href);
  const had = (await cache.keys()).map(({ url }) => url);
  await cache.addAll(wanted.filter((one) => !had.includes(one)));
  await Promise.all(had.filter((one) => !wanted.includes(one)).map((one) => cache.delete(one)));
}

// The page says what it got past the worker, and how a match stands that it hears of over its live connection.
worker.addEventListener('message', (/** @type {any} */ event) => {
  const { late = [], python = [], state } = /** @type {{ late?: string[], python?: string[], state?: { match: string } }} */ (event.data);
  const told = state && keep(new Request(new URL(`api/matches/${state.match}`, home)), Response.json(state));
  event.waitUntil(Promise.all([told, python.length && keepPython(python), ...late.map(keepLate)]).catch(() => undefined));
});

/** What was kept, marked as such. @param {Request | string} request */
async function kept(request) {
  const found = await caches.match(request);
  if (!found) return Response.error();
  const headers = new Headers(found.headers);
  headers.set('X-Kept', found.headers.get('Date') ?? 'once');
  return new Response(found.body, { status: found.status, headers });
}

worker.addEventListener('notificationclick', (/** @type {any} */ event) => {
  event.notification.close();
  const path = new URL(`m/${event.notification.tag}`, home).href;
  event.waitUntil(
    worker.clients.matchAll({ type: 'window' }).then((/** @type {any[]} */ open) => (open.find(({ url }) => url === path) ?? open[0])?.focus()),
  );
});

worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const request = /** @type {Request} */ (event.request);
  if (request.method !== 'GET' || !request.url.startsWith(home.href)) return;
  const ours = KEPT.test(behind(request.url)) && !request.headers.has('Authorization');
  if (request.mode !== 'navigate' && !ours) return;
  if (/^static\/(python|site|known)\//.test(behind(request.url))) {
    event.respondWith(caches.match(request).then((found) => found ?? fetch(request)));
    return;
  }
  event.respondWith(
    fetch(request).then(
      (answer) => {
        if (answer.ok && ours) event.waitUntil(keep(request, answer.clone()));
        return answer;
      },
      // Every address of the page is the same page.
      () => kept(request.mode === 'navigate' ? home.href : request),
    ),
  );
});
