import type { Duplex } from "node:stream";

/** A connection that carries bytes of a protocol unknown here. */
export interface Tunnel {
  readonly connection: Duplex;
  /** Bytes that were read already. */
  readonly first: Buffer | undefined;
}

/**
 * Joins two connections: what one sends the other gets, no faster than it reads; an end of one side is passed on, an error ends both.
 * Calls back once both are gone.
 */
export function joinTunnels(one: Tunnel, other: Tunnel, onClosed: () => void): void {
  let open = 2;
  const closed = (): void => {
    open -= 1;
    if (open === 0) onClosed();
  };
  one.connection.once("close", closed);
  other.connection.once("close", closed);
  passOn(one.connection, other.connection);
  passOn(other.connection, one.connection);
  if (one.first) other.connection.write(one.first);
  if (other.first) one.connection.write(other.first);
}

function passOn(from: Duplex, to: Duplex): void {
  from.on("data", (chunk: Buffer) => {
    if (!to.writable) return;
    if (!to.write(chunk)) from.pause();
  });
  to.on("drain", () => from.resume());
  from.once("end", () => to.end());
  from.on("error", () => {}); // "close" follows
  from.once("close", () => {
    // All that was read before is still sent; a connection that is reset is passed on as an end.
    if (!to.writableEnded) to.end();
    if (from.readableEnded) return;
    to.destroy();
  });
  from.resume();
}
