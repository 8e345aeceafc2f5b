// Sum Quest on boardgame.io: node boardgameio.mjs PORT [a folder for FlatFile, or the address of a PostgreSQL database]
// A match is made when its first player asks for it, and seats need no credentials: less work than with the lobby.
import { INVALID_MOVE } from "boardgame.io/dist/cjs/core.js";
import { FlatFile, Server } from "boardgame.io/dist/cjs/server.js";
import { PostgresStore } from "bgio-postgres";
import { allowed, over, play, start, winner } from "./sumquest.mjs";

const sumquest = {
  name: "sumquest",
  setup: start,
  moves: { add: ({ G }, number) => (allowed(G, number) ? play(G, number) : INVALID_MOVE) },
  turn: { minMoves: 1, maxMoves: 1 },
  endIf: ({ G }) => (over(G) ? { winner: winner(G) } : undefined),
  disableUndo: true,
};

const [port, store] = process.argv.slice(2);
let db;
if (store?.startsWith("postgresql:")) db = new PostgresStore(store, { logging: false });
else if (store) db = new FlatFile({ dir: store });
const server = Server({ games: [sumquest], db, origins: [] });
server.run(Number(port), () => console.log("ready"));
