// The matches of this browser, in a database of the page: what was answered is in it, also after a kill.

/** @type {Promise<IDBDatabase>} */
const opened = new Promise((done, failed) => {
  const asked = indexedDB.open('numberquest', 1);
  asked.onupgradeneeded = () => ['matches', 'log', 'about'].forEach((name) => asked.result.createObjectStore(name));
  asked.onsuccess = () => done(asked.result);
  asked.onerror = () => failed(asked.error);
});

/**
 * Do some work in one transaction; what it gives is given when all of it is on the disk.
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(store: (name: string) => IDBObjectStore, give: (what: T) => void) => void} work
 * @returns {Promise<T>}
 */
async function within(mode, work) {
  const database = await opened;
  return new Promise((done, failed) => {
    /** @type {any} */
    let given;
    const all = database.transaction(['matches', 'log', 'about'], mode, { durability: 'strict' });
    all.oncomplete = () => done(given);
    all.onabort = all.onerror = () => failed(all.error);
    work((name) => all.objectStore(name), (what) => (given = what));
  });
}

/** Everything that happened in a match. @param {string} match */
const entries = (match) => IDBKeyRange.bound([match, 0], [match, Infinity]);

/** @param {(name: string) => IDBObjectStore} store @param {string} match @param {string} row @param {(made: boolean) => void} give */
function made(store, match, row, give) {
  const found = store('matches').getKey(match);
  found.onsuccess = () => {
    if (found.result === undefined) store('matches').put(row, match);
    give(found.result === undefined);
  };
}

/** 32 bytes that only this browser has. @returns {Promise<Uint8Array>} */
export const secret = () =>
  within('readwrite', (store, give) => {
    const found = store('about').get('secret');
    found.onsuccess = () => {
      const bytes = found.result ?? crypto.getRandomValues(new Uint8Array(32));
      store('about').put(bytes, 'secret');
      give(bytes);
    };
  });

/** Whether there was none of that name yet. @param {string} match @param {string} row @returns {Promise<boolean>} */
export const create = (match, row) => within('readwrite', (store, give) => made(store, match, row, give));

/**
 * Write an entry down, and make the match that comes of it; false where it is not the next entry.
 * @param {string} match
 * @param {number} ply
 * @param {string} row
 * @param {string} next
 * @param {string} nextRow
 * @returns {Promise<boolean>}
 */
export const append = (match, ply, row, next, nextRow) =>
  within('readwrite', (store, give) => {
    const many = store('log').count(entries(match));
    many.onsuccess = () => {
      give(many.result === ply);
      if (many.result !== ply) return;
      store('log').add(row, [match, ply]);
      if (next) made(store, next, nextRow, () => undefined);
    };
  });

/** A match as it was made, and everything that happened in it. @param {string} match @returns {Promise<string[] | undefined>} */
export const load = (match) =>
  within('readonly', (store, give) => {
    const header = store('matches').get(match);
    const log = store('log').getAll(entries(match));
    log.onsuccess = () => give(header.result === undefined ? undefined : [header.result, ...log.result]);
  });
