// Where the page lives: on a server, or in plain files with Python in the browser. Written in when these are put together.

/** @typedef {{ alone: boolean, worker: string, guest: string[], from: string[], known: Record<string, string>, files: string[] }} Host */

/** @type {Host | null} */
export const HOST = null;
