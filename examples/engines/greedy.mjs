#!/usr/bin/env node
// An engine for `cmd:` in JavaScript: the last of the allowed moves, which is mostly the largest number.
//
//     numberquest play showdown --p2 "cmd:node examples/engines/greedy.mjs"

import { createInterface } from 'node:readline';

const say = (message) => console.log(JSON.stringify(message));

for await (const line of createInterface({ input: process.stdin })) {
  const heard = JSON.parse(line);
  if (heard.type === 'hello') say({ type: 'ready', protocol: 1, name: 'greedy' });
  if (heard.type === 'question') say({ type: 'answer', id: heard.id, move: heard.moves.at(-1) });
  if (heard.type === 'goodbye') break;
}
