import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import type { Runtime } from "@coxswain/runtime";
import { clientLimits } from "../clients/limits.js";
import { drainMs } from "./served-port.js";

/** What a connection is, once that is known: it can end in good order. */
export interface Drained {
  drain(): void;
  readonly heldBytes: number;
}

export interface ConnectionServer {
  close(): Promise<void>;
  readonly connections: number;
  readonly heldBytes: number;
  /** The connection is served by this from now on. */
  adopt(socket: Socket, by: Drained): void;
}

/** A listening socket with its connections: no more than their limit, and none after the drain time. Rejects with the error of `listen`. */
export async function listenForConnections(
  runtime: Runtime,
  at: { readonly address: string; readonly port: number },
  onConnection: (socket: Socket) => void,
): Promise<ConnectionServer> {
  const open = new Map<Socket, Drained | undefined>();
  const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: false }, (socket) => {
    open.set(socket, undefined);
    socket.on("error", () => {}); // "close" follows
    socket.once("close", () => open.delete(socket));
    onConnection(socket);
  });
  server.maxConnections = clientLimits.connections;
  server.listen(at.port, at.address);
  await once(server, "listening");
  server.on("error", (error) => runtime.log.warn("a gateway's listener failed", { ...at, error }));
  return {
    get connections() {
      return open.size;
    },
    get heldBytes() {
      let bytes = 0;
      for (const [socket, by] of open) bytes += by ? by.heldBytes : socket.writableLength;
      return bytes;
    },
    adopt: (socket, by) => void (open.has(socket) && open.set(socket, by)),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const [socket, by] of open)
        if (by) by.drain();
        else if (socket.bytesRead === 0) socket.destroy();
      const timer = runtime.ioClock.setTimer(drainMs, () => {
        for (const socket of open.keys()) socket.destroy();
      });
      await closed;
      timer.cancel();
    },
  };
}

/** Of the peer; IPv4 addresses as such. */
export const clientAddressOf = (socket: Socket): string =>
  (socket.remoteAddress ?? "").replace(/^::ffff:(?=[\d.]+$)/, "");
