import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import type { Clock } from "@coxswain/runtime/clock";
import { systemEventLoop } from "@coxswain/runtime/event-loop";
import type { Exchange, OutgoingRequest } from "./exchange.js";
import { createHttp1Pool, type Http1Pool } from "./http1-pool.js";
import { createHttp2Connection, type Http2Connection } from "./http2-connection.js";
import { openSocket } from "./open-socket.js";
import type { Proxy } from "./proxy.js";
import type { ServerAddress } from "./server-address.js";
import { sameMaterial, type TlsMaterial } from "./tls-material.js";
import { unlessAborted } from "./unless-aborted.js";

export interface ConnectionPoolOptions {
  readonly address: ServerAddress;
  readonly proxy: Proxy | undefined;
  readonly clock: Clock;
  readonly connectTimeoutMs?: number | undefined;
  readonly readIdleMs?: number | undefined;
  readonly pingTimeoutMs?: number | undefined;
}

/** kube-apiserver allows 100 requests at once on a connection (`--http2-max-streams-per-connection`). */
const streamsPerConnection = 100;
const maxConnections = 10;

/** The connections to one server: HTTP/2 where it agrees to it (ALPN), else HTTP/1.1. */
export interface ConnectionPool {
  exchange(tls: TlsMaterial, request: OutgoingRequest, signal: AbortSignal): Promise<Exchange>;
  /** A connection of its own that speaks HTTP/1.1, for protocols that begin with an upgrade. */
  dedicated(tls: TlsMaterial): Promise<Duplex>;
  /** No new requests; ends when those under way have. */
  drain(): void;
}

export function createConnectionPool(options: ConnectionPoolOptions): ConnectionPool {
  let current: Generation | undefined;
  const generation = (tls: TlsMaterial): Generation => {
    if (current === undefined || !sameMaterial(current.tls, tls)) {
      current?.drain();
      current = createGeneration(tls, options);
    }
    return current;
  };
  return {
    exchange: (tls, request, signal) => generation(tls).exchange(request, signal),
    dedicated: (tls) => open(tls, options, ["http/1.1"]),
    drain() {
      current?.drain();
      current = undefined;
    },
  };
}

const open = (
  tls: TlsMaterial,
  { address, proxy, clock, connectTimeoutMs }: ConnectionPoolOptions,
  protocols: readonly ("h2" | "http/1.1")[],
): Promise<Socket | TLSSocket> =>
  openSocket({
    address,
    tls,
    proxy,
    protocols,
    clock,
    ...(connectTimeoutMs !== undefined && { timeoutMs: connectTimeoutMs }),
  });

/** The connections made with one set of certificates. */
interface Generation {
  readonly tls: TlsMaterial;
  exchange(request: OutgoingRequest, signal: AbortSignal): Promise<Exchange>;
  drain(): void;
}

function createGeneration(tls: TlsMaterial, options: ConnectionPoolOptions): Generation {
  const { address, clock, readIdleMs, pingTimeoutMs } = options;
  const connections = new Set<Http2Connection>();
  let opening: Promise<void> | undefined;
  let http1: Http1Pool | undefined;
  let drained = false;

  /** Those that the first connection agreed on; a socket of HTTP/1.1 is the pool's first. */
  const useHttp1 = (first?: Socket): void => {
    let spare = first;
    http1 ??= createHttp1Pool({
      authority: address.authority,
      async open() {
        const taken = spare;
        spare = undefined;
        return taken !== undefined && !taken.destroyed ? taken : open(tls, options, ["http/1.1"]);
      },
    });
  };

  async function connect(): Promise<void> {
    const { secure, socketPath } = address;
    if (!secure && socketPath === undefined) return useHttp1();
    const socket = await open(tls, options, ["h2", "http/1.1"]);
    if (secure && (socket as TLSSocket).alpnProtocol !== "h2") return useHttp1(socket);
    const connection = await createHttp2Connection(socket, {
      authority: address.authority,
      clock,
      readIdleMs,
      pingTimeoutMs,
      onClose: (closed) => void connections.delete(closed),
    });
    connections.add(connection);
    // Those who wait for it begin their requests first.
    if (drained) systemEventLoop.nextIteration(() => connection.drain());
  }

  const openOne = (): Promise<void> =>
    (opening ??= connect().finally(() => {
      opening = undefined;
    }));

  const leastBusy = (): Http2Connection | undefined => {
    let best: Http2Connection | undefined;
    for (const connection of connections)
      if (connection.usable && (best === undefined || connection.open < best.open)) best = connection;
    return best;
  };

  return {
    tls,
    async exchange(request, signal) {
      for (;;) {
        if (http1 !== undefined) return http1.exchange(request, signal);
        const best = leastBusy();
        if (best !== undefined && (best.open < streamsPerConnection || connections.size >= maxConnections))
          return best.exchange(request, signal);
        try {
          await unlessAborted(openOne(), signal);
        } catch (error) {
          // Where another connection cannot be had, requests wait their turn on the one there is.
          if (best === undefined || signal.aborted) throw error;
          return best.exchange(request, signal);
        }
      }
    },
    drain() {
      drained = true;
      http1?.drain();
      for (const connection of connections) connection.drain();
    },
  };
}
