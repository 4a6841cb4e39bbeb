import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Clock } from "@coxswain/runtime/clock";

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface BalanceOptions {
  /** Port 0: any free one. */
  readonly listen: Address;
  readonly servers: readonly Address[];
  readonly clock: Clock;
  /** More connections are closed at once. @default as many as the process may have open files */
  readonly maxConnections?: number;
  /** Called for each of those. */
  readonly onRefused?: () => void;
  /** A server did not take a connection; others are tried. Called again once it was left out for its time: a flood of connections is no flood of calls. */
  onUnreachable(server: Address, error: Error): void;
}

export interface Balancer {
  readonly port: number;
  stop(): Promise<void>;
}

interface Server extends Address {
  connections: number;
  /** Monotonic; it did not take a connection and is tried last until then. */
  leftOutUntil: number;
}

/** A machine that is gone does not refuse connections: it is silent. */
const connectTimeoutMs = 2_000;
/** Long enough to spare clients the timeout above, short enough to find a server that was restarted. */
const leftOutMs = 5_000;

/**
 * Passes TCP connections on to servers, each to the one with the fewest.
 *
 * Guarantees: a connection is closed without an answer only when no server takes it. Caveats: a server that is killed resets its
 * connections; their clients connect again.
 */
export async function balanceConnections(options: BalanceOptions): Promise<Balancer> {
  const { clock } = options;
  const servers = options.servers.map((address): Server => ({ ...address, connections: 0, leftOutUntil: 0 }));
  const sockets = new Set<Socket>();
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => {}); // "close" follows, and ends the other side
    return socket.setNoDelay(true).setKeepAlive(true, 30_000);
  };

  async function serve(client: Socket): Promise<void> {
    track(client);
    for (const server of inOrder(servers, clock.monotonic())) {
      if (client.destroyed) return;
      server.connections++;
      try {
        const upstream = track(await open(server));
        upstream.once("close", () => {
          server.connections--;
          client.destroy();
        });
        client.once("close", () => upstream.destroy());
        if (client.destroyed) upstream.destroy();
        client.pipe(upstream).pipe(client);
        return;
      } catch (error) {
        server.connections--;
        const isKnown = server.leftOutUntil > clock.monotonic();
        server.leftOutUntil = clock.monotonic() + leftOutMs;
        if (!isKnown) options.onUnreachable(server, error as Error);
      }
    }
    client.destroy();
  }

  function open({ host, port }: Address): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port });
      const fail = (error: Error): void => {
        timer.cancel();
        socket.destroy();
        reject(error);
      };
      const timer = clock.setTimer(connectTimeoutMs, () =>
        fail(new Error(`no answer in ${connectTimeoutMs / 1000} s`)),
      );
      socket.once("error", fail);
      socket.once("connect", () => {
        timer.cancel();
        socket.off("error", fail);
        resolve(socket);
      });
    });
  }

  const listener = createServer({ pauseOnConnect: true }, (client) => void serve(client));
  if (options.maxConnections !== undefined) listener.maxConnections = options.maxConnections;
  listener.on("drop", () => options.onRefused?.());
  listener.listen(options.listen.port, options.listen.host);
  await once(listener, "listening");
  return {
    port: (listener.address() as AddressInfo).port,
    async stop() {
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Pure: those that took their last connection first, then those with fewer connections. */
export const inOrder = <T extends { readonly connections: number; readonly leftOutUntil: number }>(
  servers: readonly T[],
  now: number,
): T[] =>
  servers.toSorted(
    (a, b) => Number(a.leftOutUntil > now) - Number(b.leftOutUntil > now) || a.connections - b.connections,
  );
