import type { Socket } from "node:net";
import type { Clock } from "@coxswain/runtime/clock";
import {
  ClientSession,
  type ClientStream,
  encodeHeaders,
  errorCode,
  type Header,
  headerValue,
  type StreamEnd,
} from "@coxswain/wire/http2/client";
import { TransportError } from "../../transport/transport-error.js";
import type { BodyReader, Exchange, Exchanger, OutgoingRequest } from "./exchange.js";

export interface Http2ConnectionOptions {
  readonly authority: string;
  readonly clock: Clock;
  /** Silence after which the server is pinged, while requests are open. @default 30 s, as client-go */
  readonly readIdleMs?: number | undefined;
  /** How long its answer may take. @default 15 s, as client-go */
  readonly pingTimeoutMs?: number | undefined;
  /** Called once, when the connection is gone: before the caller has it where the server closes it without speaking HTTP/2. */
  readonly onClose: (connection: Http2Connection) => void;
}

/** One connection of HTTP/2. Over it go any number of requests, watches included. */
export interface Http2Connection extends Exchanger {
  /** Whether new requests may begin. */
  readonly usable: boolean;
  /** Requests under way. */
  readonly open: number;
  /** No new requests; ends when those under way have. */
  drain(): void;
  destroy(): void;
}

export function createHttp2Connection(socket: Socket, options: Http2ConnectionOptions): Promise<Http2Connection> {
  return new Promise((resolve, reject) => {
    let draining = false;
    const session: ClientSession = new ClientSession(socket, {
      onReady() {
        socket.unref();
        resolve(connection);
      },
      onActivity: () => health.onFrame(),
      onClose(error) {
        health.stop();
        options.onClose(connection);
        reject(
          new TransportError("connect", `the server speaks no HTTP/2: ${error?.message ?? "it closed the connection"}`),
        );
      },
    });
    const health = watchHealth(session, options);
    const endIfIdle = (): void => {
      if (session.open > 0) return;
      if (draining) session.destroy();
      // An idle connection keeps no program alive.
      else socket.unref();
    };
    const connection: Http2Connection = {
      get usable() {
        return !draining && session.usable;
      },
      get open() {
        return session.open;
      },
      exchange(request, signal) {
        health.start();
        socket.ref();
        return exchangeOver(session, { request, authority: options.authority, signal, onOver: endIfIdle });
      },
      drain() {
        draining = true;
        endIfIdle();
      },
      destroy: () => session.destroy(),
    };
  });
}

function exchangeOver(
  session: ClientSession,
  {
    request,
    authority,
    signal,
    onOver,
  }: { request: OutgoingRequest; authority: string; signal: AbortSignal | undefined; onOver: () => void },
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    let reader: BodyReader | undefined;
    let answered = false;
    /** For a reader that comes later: a head without a body is all there is. */
    let endBeforeReader: { readonly error: Error | undefined } | undefined;
    const passEnd = (to: BodyReader, error: Error | undefined): void => (error ? to.fail(error) : to.end());
    const abort = (): void => {
      reject(signal?.reason as Error);
      const listening = reader;
      reader = undefined;
      stream.reset(errorCode.cancel);
      listening?.fail(signal?.reason as Error);
    };
    const stream: ClientStream = session.request(
      encodeHeaders([
        [":method", request.method],
        [":scheme", "https"],
        [":authority", authority],
        [":path", request.target],
        ...request.headers,
      ]),
      {
        onHeaders(headers) {
          const status = Number(headerValue(headers, ":status") ?? 0);
          // 1xx comes before the answer, trailers after it.
          if (answered || status < 200) return;
          answered = true;
          // Nothing is read before somebody listens.
          stream.pause();
          resolve({
            status,
            header: (name) => joined(headers, name),
            body: {
              listen(given) {
                reader = given;
                if (endBeforeReader) passEnd(given, endBeforeReader.error);
                else stream.resume();
              },
              pause: () => stream.pause(),
              resume: () => stream.resume(),
              cancel() {
                reader = undefined;
                stream.reset(errorCode.cancel);
              },
            },
          });
        },
        onData: (data) => reader?.data(data),
        onEnd(end) {
          signal?.removeEventListener("abort", abort);
          onOver();
          const error = errorOfEnd(end);
          if (!answered) reject(error ?? new TransportError("lost", "the server ended the stream without an answer"));
          else if (reader) passEnd(reader, error);
          else endBeforeReader = { error };
        },
      },
    );
    signal?.addEventListener("abort", abort, { once: true });
    stream.end(request.body && Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength));
  });
}

function joined(headers: readonly Header[], name: string): string | undefined {
  let value: string | undefined;
  for (const header of headers)
    if (header[0] === name) value = value === undefined ? header[1] : `${value}, ${header[1]}`;
  return value;
}

function errorOfEnd(end: StreamEnd): Error | undefined {
  switch (end.kind) {
    case "ended":
      return undefined;
    case "refused":
      return new TransportError("lost", "the server goes away and has not looked at the request", { neverSent: true });
    case "reset":
      return new TransportError("lost", `the server reset the stream (HTTP/2 error ${end.code})`);
    case "lost":
      return new TransportError("lost", `the connection was lost${end.error ? `: ${end.error.message}` : ""}`, {
        cause: end.error,
      });
  }
}

/**
 * Finds half-open connections: a watch that receives nothing may be quiet, or its server may be gone. Pings
 * only while requests are open; a server may take pings on an idle connection for an attack.
 */
function watchHealth(
  session: ClientSession,
  { clock, readIdleMs = 30_000, pingTimeoutMs = 15_000 }: Http2ConnectionOptions,
): { start(): void; onFrame(): void; stop(): void } {
  let timer: { cancel(): void } | undefined;
  let lastFrameAt = 0;
  const stop = (): void => {
    timer?.cancel();
    timer = undefined;
  };
  const wait = (): void => {
    const left = lastFrameAt + readIdleMs - clock.monotonic();
    timer = clock.setTimer(Math.max(1, left), () => {
      timer = undefined;
      if (session.open === 0) return;
      if (clock.monotonic() - lastFrameAt < readIdleMs) wait();
      else ping();
    });
  };
  const ping = (): void => {
    timer = clock.setTimer(pingTimeoutMs, () =>
      session.destroy(new Error(`no answer to a ping within ${pingTimeoutMs} ms`)),
    );
    session.ping(() => {
      stop();
      lastFrameAt = clock.monotonic();
      wait();
    });
  };
  return {
    start() {
      if (timer !== undefined) return;
      lastFrameAt = clock.monotonic();
      wait();
    },
    onFrame: () => void (lastFrameAt = clock.monotonic()),
    stop,
  };
}
