import type { TLSSocket } from "node:tls";
import type { Clock } from "@coxswain/runtime/clock";
import { ClientSession, type ClientStream, type StreamEvents } from "../http2/index.js";
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
  request(headerBlock: Buffer, events: StreamEvents): ClientStream;
  /** No new calls; the running ones may finish. */
  drain(): void;
  /** Ends it with all its calls. */
  destroy(): void;
  /** Resolves when it is gone. */
  readonly closed: Promise<void>;
}

/** Resolves when the server's SETTINGS were received. @throws GrpcError UNAVAILABLE, never sent */
export function openConnection(
  endpoint: Endpoint,
  options: ConnectionOptions,
  signal: AbortSignal,
): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = openSocket(endpoint, options.tls);
    const abort = (): void => session.destroy(new Error("the client is closed"));
    const connectTimeoutMs = options.connectTimeoutMs ?? 5000;
    const timer = options.clock.setTimer(connectTimeoutMs, () =>
      session.destroy(new Error(`no answer within ${connectTimeoutMs} ms`)),
    );
    const release = (): void => {
      timer.cancel();
      signal.removeEventListener("abort", abort);
    };
    signal.addEventListener("abort", abort, { once: true });
    let keepAlive: KeepAlive | undefined;
    let gone: () => void = () => {};
    const closed = new Promise<void>((settle) => (gone = settle));
    const session: ClientSession = new ClientSession(socket, {
      onReady() {
        if (endpoint.secure && (socket as TLSSocket).alpnProtocol !== "h2")
          return session.destroy(new Error("the server does not speak HTTP/2"));
        release();
        keepAlive = createKeepAlive(session, options);
        resolve(createConnection(session, endpoint, { keepAlive, closed }));
      },
      onActivity: () => keepAlive?.noteActivity(),
      onClose(error) {
        release();
        keepAlive?.stop();
        gone();
        reject(
          new GrpcError(
            "UNAVAILABLE",
            `cannot connect to ${endpoint.url}: ${error?.message ?? "the server closed the connection"}`,
            { neverSent: true, cause: error },
          ),
        );
      },
    });
  });
}

function createConnection(
  session: ClientSession,
  endpoint: Endpoint,
  { keepAlive, closed }: { keepAlive: KeepAlive; closed: Promise<void> },
): Connection {
  let draining = false;
  const endIfIdle = (): void => {
    if (draining && session.open === 0) session.destroy();
  };
  return {
    endpoint,
    closed,
    get usable() {
      return !draining && session.usable;
    },
    request(headerBlock, events) {
      keepAlive.start();
      return session.request(headerBlock, {
        onHeaders: events.onHeaders,
        onData: events.onData,
        onEnd(end) {
          events.onEnd(end);
          endIfIdle();
        },
      });
    },
    drain() {
      draining = true;
      endIfIdle();
    },
    destroy: () => session.destroy(),
  };
}

interface KeepAlive {
  start(): void;
  noteActivity(): void;
  stop(): void;
}

/** Pings only while calls are open: a server may take pings on an idle connection for an attack. */
function createKeepAlive(
  session: ClientSession,
  { clock, keepAliveMs = 30_000, keepAliveTimeoutMs = 10_000 }: ConnectionOptions,
): KeepAlive {
  let timer: { cancel(): void } | undefined;
  let lastActivityMs = clock.monotonic();
  const stop = (): void => {
    timer?.cancel();
    timer = undefined;
  };
  const wait = (): void => {
    const left = lastActivityMs + keepAliveMs - clock.monotonic();
    timer = clock.setTimer(Math.max(1, left), () => {
      timer = undefined;
      if (session.open === 0) return;
      if (clock.monotonic() - lastActivityMs < keepAliveMs) wait();
      else ping();
    });
  };
  const ping = (): void => {
    timer = clock.setTimer(keepAliveTimeoutMs, () =>
      session.destroy(new Error(`the server gave no sign of life for ${keepAliveMs + keepAliveTimeoutMs} ms`)),
    );
    session.ping(() => {
      stop();
      wait();
    });
  };
  return {
    start() {
      if (timer) return;
      lastActivityMs = clock.monotonic();
      wait();
    },
    noteActivity: () => void (lastActivityMs = clock.monotonic()),
    stop,
  };
}
