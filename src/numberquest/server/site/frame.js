// The script of a frame without an origin: it starts the worker in which somebody else's Python runs, and passes on
// questions and answers. It is the first to look at them: one answer for each question, and none that is too long.
// What this file says is known to the page's policy by its hash.
(() => {
  /** So many signs an answer may have. */
  const LARGEST = 1 << 20;
  /** @param {BlobPart} content */
  const script = (content) => URL.createObjectURL(new Blob([content], { type: 'text/javascript' }));

  /** @param {MessageEvent<{ loader: ArrayBuffer, module: ArrayBuffer, guest: string, files: ArrayBuffer[] }>} event */
  const start = ({ source, data: { loader, module, guest, files }, ports: [port] }) => {
    // Whoever opens this anywhere but in a frame of ours finds nothing here.
    if (source !== parent || self.origin !== 'null' || !port) return;
    const head = `import { loadPyodide } from '${script(loader)}';\nimport createPyodideModule from '${script(module)}';\nObject.assign(self, { loadPyodide, createPyodideModule });\n`;
    // Without an origin, modules of a worker come from data, and not from a blob.
    const worker = new Worker(`data:text/javascript,${encodeURIComponent(head + guest)}`, { type: 'module' });
    let open = 1;
    const end = () => (worker.terminate(), port.postMessage(''));
    worker.onerror = end;
    worker.onmessage = ({ data }) => {
      if (typeof data !== 'string' || data.length > LARGEST || --open < 0) end();
      else port.postMessage(data);
    };
    port.onmessage = ({ data }) => (open++, worker.postMessage(data));
    worker.postMessage(files, files);
  };
  addEventListener('message', start, { once: true });
})();
