// Sum Quest on Colyseus, with no store: node colyseus.mjs PORT
// A room plays one match after another. Each move is told at once, not with the next of its 20 patches a second.
import { Room, Server } from "@colyseus/core";
import { schema, t } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { allowed, over, play, start } from "./sumquest.mjs";

const Position = schema({ total: t.uint8(), barred: t.uint8(), player: t.uint8() });

const MOVE = 1;
const AGAIN = 2;

class SumQuest extends Room {
  maxClients = 2;
  patchRate = null;

  onCreate() {
    this.state = Object.assign(new Position(), start());
    this.onMessage(MOVE, (client, number) => {
      if (client.userData.seat !== this.state.player || !allowed(this.state, number)) return;
      this.tell(play(this.state, number));
    });
    this.onMessage(AGAIN, () => {
      if (over(this.state)) this.tell(start());
    });
  }

  onJoin(client, { seat }) {
    client.userData = { seat };
  }

  tell(position) {
    Object.assign(this.state, position);
    this.broadcastPatch();
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false });
server.define("sumquest", SumQuest);
await server.listen(Number(process.argv[2]), "127.0.0.1");
console.log("ready");
