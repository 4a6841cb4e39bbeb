import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import type { Clock } from "@coxswain/runtime/clock";
import type { Scheduler } from "@coxswain/runtime/scheduler";
import type { Soon } from "@coxswain/runtime/soon";
import type { ClientLimiter } from "./client-limiter.js";
import type { ListenAddress, Listening } from "./listening.js";
import type { Asker } from "./query-handler.js";

export interface ServeOptions {
  handle(bytes: Uint8Array, asker: Asker): Soon<Uint8Array | undefined>;
  readonly limiter: ClientLimiter;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  onDropped(): void;
  onError(error: unknown): void;
}

/** Octets that the kernel keeps for us while the event loop is busy; it may grant less. */
const receiveBufferOctets = 4 << 20;

/** Answers datagrams until it stops, which waits for answers that are under way. */
export async function serveUdp(address: ListenAddress, options: ServeOptions): Promise<Listening> {
  const { handle, limiter } = options;
  const socket = createSocket({
    type: isIPv6(address.host) ? "udp6" : "udp4",
    recvBufferSize: receiveBufferOctets,
    // Addresses need no lookup, which would cost a turn of the event loop for each answer.
    lookup: (host, _options, found) => found(null, host, isIPv6(host) ? 6 : 4),
  });
  const underWay = new Set<Promise<void>>();
  socket.on("message", (bytes, { address: client, port }) => {
    if (!limiter.allow(client)) return options.onDropped();
    try {
      const answer = handle(bytes, { transport: "udp", client });
      if (!(answer instanceof Promise)) return send(socket, answer, { client, port });
      const sending = answer
        .then((known) => send(socket, known, { client, port }))
        .catch(options.onError)
        .finally(() => underWay.delete(sending));
      underWay.add(sending);
    } catch (error) {
      options.onError(error);
    }
  });
  const listening = once(socket, "listening"); // which may be at once
  socket.bind(address.port, address.host);
  await listening;
  socket.on("error", options.onError);
  return {
    port: socket.address().port,
    async stop() {
      socket.removeAllListeners("message");
      await Promise.all(underWay);
      await new Promise<void>((resolve) => socket.close(() => resolve()));
    },
  };
}

/** A client that cannot be reached any more concerns nobody. */
function send(socket: Socket, bytes: Uint8Array | undefined, { client, port }: { client: string; port: number }): void {
  if (bytes) socket.send(bytes, port, client, () => {});
}
