// The worker in which somebody else's Python runs: in a frame without an origin, so without storage, network and page.
// frame.js writes lines above these, which bring what Pyodide begins with.

/** So many bytes Python may take: what wants more runs out of memory, and not the machine. */
const MEMORY = 512 * 1024 * 1024;
const PAGE = 64 * 1024;
/** @typedef {typeof WebAssembly.Memory.prototype} Memory */

const guest = /** @type {any} */ (self);
const { grow } = WebAssembly.Memory.prototype;
WebAssembly.Memory.prototype.grow = function (/** @type {number} */ by) {
  if (this.buffer.byteLength + by * PAGE > MEMORY) throw new RangeError('no more memory');
  return grow.call(this, by);
};

/** @param {ArrayBuffer} content @param {string} type */
const address = (content, type) => URL.createObjectURL(new Blob([content], { type }));

/** @param {ArrayBuffer[]} files what Pyodide is made of, and the packages that it is given */
async function start([wasm, library, lock, ...packages]) {
  const python = await guest.loadPyodide({
    createPyodideModule: guest.createPyodideModule,
    // It asks for its files below this: whatever the name, it is this one.
    indexURL: `${address(wasm, 'application/wasm')}#`,
    stdLibURL: address(library, 'application/zip'),
    lockFileContents: new TextDecoder().decode(lock),
    packageBaseUrl: 'https://nowhere.invalid/',
  });
  const extractDir = python.runPython('import site; site.getsitepackages()[0]');
  for (const wheel of packages) python.unpackArchive(wheel, 'wheel', { extractDir });
  const found = python.pyimport('numberquest.server.site.guest');
  found.start();
  return found;
}

/** @type {Promise<any>} */
let started;
guest.onmessage = async (/** @type {MessageEvent<ArrayBuffer[] | string>} */ { data }) => {
  if (typeof data !== 'string') guest.postMessage(await (started = start(data)).then(() => 'ready'));
  else guest.postMessage((await started).answer(data));
};
