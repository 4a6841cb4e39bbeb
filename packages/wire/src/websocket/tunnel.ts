import { Duplex } from "node:stream";
import type { WebSocketConnection } from "./websocket.js";

/** A plain stream of bytes through a WebSocket: what is written goes in binary messages, whose borders mean nothing. */
export function tunnelThrough(websocket: WebSocketConnection): Duplex {
  const tunnel = new Duplex({
    allowHalfOpen: false,
    read: () => websocket.resume(),
    write(chunk: Buffer, _, done) {
      if (websocket.send(chunk)) done();
      else void websocket.drained().then(() => done());
    },
    final(done) {
      websocket.close();
      done();
    },
    destroy(error, done) {
      if (error) websocket.destroy();
      else websocket.close();
      done(error);
    },
  });
  websocket.listen({
    onMessage(data) {
      if (!tunnel.push(data)) websocket.pause();
    },
    onClose() {
      if (!tunnel.readableEnded && !tunnel.destroyed) tunnel.push(null);
    },
  });
  return tunnel;
}
