import { type ClientHttp2Session, type ClientHttp2Stream, connect, type OutgoingHttpHeaders } from "node:http2";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Clock } from "../clock.js";
import { type Endpoint, openSocket, type TlsOptions } from "./endpoint.js";
import { GrpcError } from "./status.js";

export interface ConnectionOptions {
  readonly clock: Clock;
  readonly tls?: TlsOptions;
  /** @default 5000 */
  readonly connectTimeoutMs?: number;
  /** How long the other side may be silent, while calls are open, before it is asked for a sign of life. @default 30000 */
  readonly keepAliveMs?: number;
  /** How long that sign may take. @default 10000 */
  readonly keepAliveTimeoutMs?: number;
}

/** One HTTP/2 session with one server. */
export interface Connection {
  readonly endpoint: Endpoint;
  /** Whether new calls may begin on it. */
  readonly usable: boolean;
  /** Throws when it is no longer usable. */
  request(headers: OutgoingHttpHeaders): ClientHttp2Stream;
  /** No new calls; the running ones may finish. */
  drain(): void;
  /** Ends it with all its calls. */
  destroy(): void;
  /** Resolves when it is gone. */
  readonly closed: Promise<void>;
}

/** Room for what the server may send before we have read it: a long answer should not wait for each 64 KB to be confirmed. */
const streamWindow = 4 * 1024 * 1024;
const sessionWindow = 16 * 1024 * 1024;

/** Resolves when the server has said that it speaks HTTP/2. @throws GrpcError UNAVAILABLE, never sent */
export function openConnection(endpoint: Endpoint, options: ConnectionOptions, signal: AbortSignal): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = openSocket(endpoint, options.tls);
    const session = connect(`${endpoint.secure ? "https" : "http"}://${endpoint.authority}`, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: streamWindow },
      // In megabytes. The default of 10 refuses streams once a long answer is under way.
      maxSessionMemory: 1024,
    });
    const abort = (): void => fail(new Error("the client is closed"));
    signal.addEventListener("abort", abort, { once: true });
    const fail = (cause: Error): void => {
      timer.cancel();
      signal.removeEventListener("abort", abort);
      socket.destroy();
      reject(new GrpcError("UNAVAILABLE", `cannot connect to ${endpoint.url}: ${cause.message}`, { neverSent: true, cause }));
    };
    const connectTimeoutMs = options.connectTimeoutMs ?? 5000;
    const timer = options.clock.setTimer(connectTimeoutMs, () => fail(new Error(`no answer within ${connectTimeoutMs} ms`)));
    session.on("error", fail);
    // The session does not hear of a TLS alert, such as the one that asks for a client certificate.
    socket.on("error", fail);
    session.once("close", () => fail(new Error("the server closed the connection")));
    session.once("remoteSettings", () => {
      if (endpoint.secure && (socket as TLSSocket).alpnProtocol !== "h2") return fail(new Error("the server does not speak HTTP/2"));
      timer.cancel();
      signal.removeEventListener("abort", abort);
      session.setLocalWindowSize(sessionWindow);
      resolve(watchOver(session, socket, endpoint, options));
    });
  });
}

/**
 * A session is always ended by destroying its socket. `session.destroy()` resets every open stream first, and when the
 * other side is closing at the same moment Node 20 then writes resets without end, in one synchronous loop.
 */
function watchOver(session: ClientHttp2Session, socket: Socket, endpoint: Endpoint, options: ConnectionOptions): Connection {
  let open = 0;
  let draining = false;
  const keepAlive = createKeepAlive(session, options, { needed: () => open > 0, giveUp: (reason) => void socket.destroy(reason) });
  const closed = new Promise<void>((resolve) => session.once("close", resolve));
  void closed.then(() => keepAlive.stop());
  return {
    endpoint,
    closed,
    get usable() {
      // A session that was told to go away closes itself, and takes no more from then on.
      return !draining && !session.closed && !session.destroyed;
    },
    request(headers) {
      const stream = session.request(headers);
      open += 1;
      keepAlive.start();
      stream.once("close", () => {
        open -= 1;
        if (draining && open === 0) socket.destroy();
      });
      stream.on("data", keepAlive.heard);
      return stream;
    },
    drain() {
      draining = true;
      // Not `session.close()`: its GOAWAY can make the other side refuse calls that are on their way.
      if (open === 0) socket.destroy();
    },
    destroy: () => void socket.destroy(),
  };
}

/** Pings only while calls are open: a server may take pings on an idle connection for an attack. */
function createKeepAlive(session: ClientHttp2Session, options: ConnectionOptions, { needed, giveUp }: { needed: () => boolean; giveUp: (reason: Error) => void }): { start(): void; heard(): void; stop(): void } {
  const { clock, keepAliveMs = 30_000, keepAliveTimeoutMs = 10_000 } = options;
  let timer: { cancel(): void } | undefined;
  let lastHeard = clock.monotonic();
  const stop = (): void => {
    timer?.cancel();
    timer = undefined;
  };
  const wait = (): void => {
    const left = lastHeard + keepAliveMs - clock.monotonic();
    timer = clock.setTimer(Math.max(1, left), () => {
      timer = undefined;
      if (!needed() || session.destroyed) return;
      if (clock.monotonic() - lastHeard < keepAliveMs) wait();
      else ping();
    });
  };
  const ping = (): void => {
    timer = clock.setTimer(keepAliveTimeoutMs, () => giveUp(new Error(`the server gave no sign of life for ${keepAliveMs + keepAliveTimeoutMs} ms`)));
    session.ping((error) => {
      stop();
      lastHeard = clock.monotonic();
      if (!error && !session.destroyed) wait();
    });
  };
  return {
    start() {
      if (timer) return;
      lastHeard = clock.monotonic();
      wait();
    },
    heard: () => void (lastHeard = clock.monotonic()),
    stop,
  };
}
