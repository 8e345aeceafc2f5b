// Bare Node with SQLite, with no rules and no seats: node sqlite.mjs PORT FILE
// All moves that came in together are committed together, and only then told.
import Database from "better-sqlite3";
import { WebSocketServer } from "ws";

const [port, file] = process.argv.slice(2);
const db = new Database(file);
db.pragma("journal_mode = WAL");
db.pragma("synchronous = FULL");
db.exec("CREATE TABLE move (match TEXT, ply INTEGER, number INTEGER, PRIMARY KEY (match, ply)) WITHOUT ROWID");
const insert = db.prepare("INSERT INTO move VALUES (?, ?, ?)");
const write = db.transaction((moves) => {
  for (const { match, ply, move } of moves) insert.run(match, ply, move);
});

let waiting = [];
function commit() {
  const told = waiting;
  waiting = [];
  write(told.map(({ move }) => move));
  for (const { pair, move } of told) {
    const frame = JSON.stringify(move);
    for (const socket of pair) socket.send(frame);
  }
}

const pairs = new Map();
const server = new WebSocketServer({ host: "127.0.0.1", port: Number(port) }, () => console.log("ready"));
server.on("connection", (socket, request) => {
  const pair = pairs.get(request.url) ?? [];
  pairs.set(request.url, [...pair, socket]);
  socket.on("message", (data) => {
    if (waiting.length === 0) setImmediate(commit);
    waiting.push({ pair: pairs.get(request.url), move: JSON.parse(data) });
  });
});
