// How many moves of each match a boardgame.io server knows: node look.mjs PORT < names of matches
// A match that it cannot read ends the server, and the list.
import { readFileSync } from "node:fs";
import { io } from "socket.io-client";

const socket = io(`http://127.0.0.1:${process.argv[2]}/sumquest`, { transports: ["websocket"] });
for (const match of readFileSync(0, "utf8").trim().split("\n")) {
  const synced = new Promise((tell) => {
    socket.once("sync", (_, { state }) => tell(state._stateID));
    socket.once("disconnect", () => tell("gone"));
  });
  socket.emit("sync", match, null, null, 2);
  const known = await synced;
  console.log(match, known);
  if (known === "gone") break;
  socket.off("disconnect");
}
process.exit();
