import { Agent, request as sendRequest } from "node:http";
import type { Duplex } from "node:stream";
import { followIdleConnections } from "@coxswain/wire/idle-connections";
import { TransportError } from "../../transport/transport-error.js";
import type { Exchange, Exchanger, OutgoingRequest } from "./exchange.js";

export interface Http1PoolOptions {
  readonly authority: string;
  /** Opens a connection, with TLS where the server has it. */
  readonly open: () => Promise<Duplex>;
}

/** Connections of HTTP/1.1, each for one request at a time: for servers and proxies that do not speak HTTP/2. */
export interface Http1Pool extends Exchanger {
  /** Ends idle connections; those in use end with their request. */
  drain(): void;
  destroy(): void;
}

/**
 * The server closed a connection that had served a request before, without a byte of an answer to this one: most likely it did
 * not see it. As Go's `net/http` (`shouldRetryRequest`), requests that change nothing are sent again at once; each such failure
 * uses up a connection, and one on a new connection is final.
 */
class ClosedWhileIdle extends TransportError {}
const replayable: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

export function createHttp1Pool({ authority, open }: Http1PoolOptions): Http1Pool {
  const agent = new (class extends Agent {
    override createConnection(_: unknown, created?: (error: Error | null, socket: Duplex) => void): undefined {
      open().then(
        (socket) => created?.(null, socket),
        (error: Error) => created?.(error, undefined as unknown as Duplex), // Node reads no socket beside an error
      );
    }
  })({ keepAlive: true, maxFreeSockets: 25 });
  const idleConnectionsNoticed = followIdleConnections(agent);
  let draining = false;
  return {
    async exchange(request, signal) {
      for (;;) {
        await idleConnectionsNoticed();
        try {
          return await exchangeOver(agent, draining, { request, authority, signal });
        } catch (error) {
          if (!(error instanceof ClosedWhileIdle) || !replayable.has(request.method)) throw error;
        }
      }
    },
    drain() {
      draining = true;
      for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
    },
    destroy: () => agent.destroy(),
  };
}

function exchangeOver(
  agent: Agent,
  isLast: boolean,
  { request, authority, signal }: { request: OutgoingRequest; authority: string; signal: AbortSignal | undefined },
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const lines = [...request.headers, ["host", authority] as const];
    if (request.body !== undefined) lines.push(["content-length", String(request.body.length)]);
    if (isLast) lines.push(["connection", "close"]);
    const sent = sendRequest({
      agent,
      method: request.method,
      path: request.target,
      headers: lines.flat() as unknown as readonly string[],
      setHost: false,
    });
    const abort = (): void => void sent.destroy(signal?.reason as Error);
    signal?.addEventListener("abort", abort, { once: true });
    sent.once("close", () => signal?.removeEventListener("abort", abort));
    sent.on("error", (cause: NodeJS.ErrnoException) => {
      const isClosed = sent.reusedSocket && (cause.code === "ECONNRESET" || cause.code === "EPIPE");
      const { message } = cause;
      if (!isClosed || signal?.aborted) reject(errorOf(cause, signal));
      else reject(new ClosedWhileIdle("lost", `the connection was lost: ${message}`, { cause }));
    });
    sent.once("response", (response) => {
      // Nothing is read before somebody listens.
      response.pause();
      resolve({
        status: response.statusCode ?? 0,
        header(name) {
          const value = response.headers[name];
          return Array.isArray(value) ? value.join(", ") : value;
        },
        body: {
          listen(reader) {
            let over = false;
            const fail = (cause?: Error): void => {
              if (over) return;
              over = true;
              reader.fail(errorOf(cause ?? new Error("the server closed the connection"), signal));
            };
            response.on("data", (chunk: Buffer) => reader.data(chunk));
            response.once("end", () => {
              over = true;
              reader.end();
            });
            response.once("error", fail);
            response.once("close", () => fail());
            response.resume();
          },
          pause: () => void response.pause(),
          resume: () => void response.resume(),
          cancel() {
            response.removeAllListeners("data");
            response.on("error", () => {}); // ended by us
            response.destroy();
          },
        },
      });
    });
    sent.end(request.body);
  });
}

function errorOf(cause: Error, signal: AbortSignal | undefined): Error {
  if (signal?.aborted) return signal.reason as Error;
  if (cause instanceof TransportError) return cause;
  return new TransportError("lost", `the connection was lost: ${cause.message}`, { cause });
}
