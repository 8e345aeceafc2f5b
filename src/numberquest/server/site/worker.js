// Python in a worker of the page: it loads Number Quest into Pyodide, and passes on what the page asks its hub.

import * as database from './database.js';

/** @typedef {{ id: number, method: string, address: string, body: string, token: string }} Request */
/** @typedef {{ open: number, match: string } | { line: number, said: string } | { close: number }} OfLine */

const scope = /** @type {any} */ (self);

/** @param {number} done of 100 @param {string} what */
const progress = (done, what) => scope.postMessage({ progress: done, what });

/** @param {string} address */
async function bytes(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.arrayBuffer();
}

/** @param {string[]} from where Pyodide lies, and the packages that it is given: ours, and those it needs */
async function start([home = '', ...packages]) {
  progress(5, 'Python is being fetched');
  const wheels = packages.map(bytes);
  const { loadPyodide } = await import(`${home}pyodide.mjs`);
  const [python, secret] = await Promise.all([loadPyodide({ indexURL: home }), database.secret()]);
  progress(70, 'Number Quest is being loaded');
  const extractDir = python.runPython('import site; site.getsitepackages()[0]');
  for (const wheel of await Promise.all(wheels)) python.unpackArchive(wheel, 'wheel', { extractDir });
  const { Host } = python.pyimport('numberquest.server.site.host');
  const host = Host(database, python.toPy(secret).tobytes());
  progress(100, '');
  return host;
}

/** The hub, once the page has said where everything lies. @type {Promise<any>} */
let started;

/** @param {Request} asked */
async function answer({ id, method, address, body, token }) {
  const host = await started;
  const found = await host.answer(method, address, body, token);
  const [status, kind, text] = found.toJs();
  found.destroy();
  scope.postMessage({ id, status, kind, text });
}

/** @param {OfLine} what */
async function live(what) {
  const host = await started;
  if ('open' in what) host.open(what.open, what.match, (/** @type {string} */ said) => scope.postMessage({ line: what.open, said }));
  else if ('close' in what) host.close(what.close);
  else if (!(await host.hear(what.line, what.said))) scope.postMessage({ ended: what.line });
}

scope.onmessage = (/** @type {MessageEvent<Request | OfLine | { from: string[] }>} */ { data }) =>
  void ('from' in data ? (started = start(data.from)) : 'id' in data ? answer(data) : live(data)).catch(
    (/** @type {Error} */ error) => scope.postMessage({ failed: String(error.message ?? error) }),
  );
