// Runs snippets against the page's modules: one JSON object on each line in, one out. The little of a browser that the
// modules need to be imported, and to build elements, is here.

import { createInterface } from 'node:readline';

class Node {
  children = [];
  attributes = {};
  classList = { toggle: (_, on) => on };
  style = { setProperty: (name, value) => void (this.style[name] = value) };
  constructor(tag) {
    this.tag = tag;
  }
  append(...children) {
    this.children.push(...children);
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  get textContent() {
    return this.children.map((one) => one.textContent ?? String(one)).join('');
  }
  set textContent(text) {
    this.children = [text];
  }
  /** Everything below it, by tag. */
  all(tag) {
    return this.children.flatMap((one) => (one instanceof Node ? [...(one.tag === tag ? [one] : []), ...one.all(tag)] : []));
  }
}

const kept = new Map();
const browser = {
  navigator: { onLine: true },
  Node,
  window: globalThis,
  document: {
    baseURI: 'http://localhost/',
    hidden: false,
    addEventListener() {},
    removeEventListener() {},
    createElement: (tag) => new Node(tag),
    createElementNS: (_, tag) => new Node(tag),
    createComment: () => new Node('#comment'),
    getElementById: () => new Node('p'),
    documentElement: { toggleAttribute() {} },
  },
  addEventListener() {},
  removeEventListener() {},
  matchMedia: () => ({ matches: false }),
  localStorage: new Proxy(
    { getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text), removeItem: (name) => kept.delete(name) },
    { ownKeys: () => [...kept.keys()], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }) },
  ),
};
// Later versions of Node have some of these themselves.
for (const [name, value] of Object.entries(browser))
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });

/** A clock that goes only when it is wound, for what waits: `run` calls what is due within so many milliseconds. */
function windUp() {
  let [time, due] = [0, []];
  const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
  const real = [{ setTimeout, clearTimeout, setInterval, clearInterval }, performance.now, Date.now];
  const set = (timers, now, date) => (Object.assign(globalThis, timers), (performance.now = now), (Date.now = date));
  let number = 0;
  const start = (call, wait = 0, every = 0) => (due.push({ number: ++number, at: time + wait, call, every }), number);
  const stop = (which) => void (due = due.filter((one) => one.number !== which));
  const repeat = (call, every) => start(call, every, every);
  set({ setTimeout: start, clearTimeout: stop, setInterval: repeat, clearInterval: stop }, () => time, () => time);
  return {
    get time() {
      return time;
    },
    run(by) {
      const until = time + by;
      for (;;) {
        const [next] = due.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
        if (!next) return void (time = until);
        time = next.at;
        if (next.every) next.at += next.every;
        else stop(next.number);
        next.call();
      }
    },
    restore: () => set(...real),
  };
}

const page = (name) => import(`${process.argv[2]}/${name}`);
const Snippet = (async () => undefined).constructor;
for await (const line of createInterface({ input: process.stdin })) {
  const { snippet, facts } = JSON.parse(line);
  const clock = windUp();
  const answer = await new Snippet('page', 'clock', ...Object.keys(facts), snippet)(page, clock, ...Object.values(facts)).then(
    (value) => ({ value }),
    (error) => ({ error: error.stack }),
  );
  clock.restore();
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
// What a snippet began and nobody waits for must not keep the tests waiting.
process.exit(0);
