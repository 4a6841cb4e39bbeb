import { Duplex } from "node:stream";
import { UnreadBytes } from "../bytes/index.js";
import type { WebSocketConnection } from "./websocket.js";

/** Backpressure: so many bytes wait for a reader before the peer is not read from any more. */
const maxUnreadBytes = 64 * 1024;

/** A plain stream of bytes through a WebSocket: what is written goes in binary messages, whose borders mean nothing. */
export function tunnelThrough(websocket: WebSocketConnection): Duplex {
  const tunnel = new Duplex({
    allowHalfOpen: false,
    readableHighWaterMark: UnreadBytes.highWaterMark,
    read() {
      unread.ask();
      if (unread.length < maxUnreadBytes) websocket.resume();
    },
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
  const unread = new UnreadBytes((bytes) => tunnel.push(bytes));
  websocket.listen({
    onMessage(data) {
      if (tunnel.destroyed) return;
      unread.add(data);
      if (unread.length >= maxUnreadBytes) websocket.pause();
    },
    onClose() {
      if (!tunnel.destroyed) unread.end();
    },
  });
  return tunnel;
}
