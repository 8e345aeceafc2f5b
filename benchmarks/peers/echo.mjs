// What `ws` alone can do: every frame goes back to whoever sent it. node echo.mjs PORT
import { WebSocketServer } from "ws";

const server = new WebSocketServer({ host: "127.0.0.1", port: Number(process.argv[2]) }, () => console.log("ready"));
server.on("connection", (socket) => socket.on("message", (data, binary) => socket.send(data, { binary })));
