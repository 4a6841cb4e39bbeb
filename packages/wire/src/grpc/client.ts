import { type Decoded, decode, type Encodable, encode, type MessageType } from "../protobuf/index.js";
import { type Call, startCall } from "./call.js";
import { type Channel, type ChannelOptions, createChannel } from "./channel.js";
import type { Connection } from "./connection.js";
import type { Metadata } from "./metadata.js";
import type { Method } from "./method.js";
import { GrpcError, type GrpcStatus } from "./status.js";

export interface GrpcClientOptions extends ChannelOptions {
  /** Of an answer; longer ones end the call with RESOURCE_EXHAUSTED. @default 4 MiB */
  readonly maxMessageBytes?: number;
  /** @default "coxswain" */
  readonly userAgent?: string;
}

export interface CallOptions {
  readonly metadata?: Metadata;
  /** Ends the call with DEADLINE_EXCEEDED. @default none */
  readonly timeoutMs?: number | undefined;
  /** Ends the call with CANCELLED. */
  readonly signal?: AbortSignal | undefined;
  /** Wait for a server to come back instead of failing with UNAVAILABLE. @default false */
  readonly patient?: boolean;
}

export interface StreamOptions<Res extends MessageType> extends CallOptions {
  /** Called synchronously as messages arrive. One that throws ends the call. */
  readonly onMessage: (message: Decoded<Res>) => void;
  /** The server has accepted the call. */
  readonly onHeaders?: (metadata: Metadata) => void;
}

export interface GrpcStream<Req extends MessageType> {
  /** False when the caller should wait for `drained` before it sends more. */
  send(message: Encodable<Req>): boolean;
  drained(): Promise<void>;
  /** No more messages from this side. */
  end(): void;
  cancel(): void;
  pause(): void;
  resume(): void;
  /** Where it goes. */
  readonly connection: Connection;
  /** Resolves when the server ended the stream with OK or it was cancelled here; rejects with a GrpcError otherwise. */
  readonly done: Promise<void>;
}

/**
 * Calls to a gRPC service. None is repeated, but for a unary one that a server refused unseen because it was going away.
 * `GrpcError.neverSent`: whether a retry is safe.
 */
export interface GrpcClient {
  /** One message there, one back. */
  unary<Req extends MessageType, Res extends MessageType>(
    method: Method<Req, Res>,
    request: Encodable<Req>,
    options?: CallOptions,
  ): Promise<Decoded<Res>>;
  /** Any number of messages either way. Resolves when the stream is on a connection. */
  stream<Req extends MessageType, Res extends MessageType>(
    method: Method<Req, Res>,
    options: StreamOptions<Res>,
  ): Promise<GrpcStream<Req>>;
  /** Go to the next endpoint with calls to come. */
  leaveEndpoint(): void;
  /** In use now, if any. */
  readonly endpoint: string | undefined;
  close(): Promise<void>;
}

export function createGrpcClient(options: GrpcClientOptions): GrpcClient {
  const channel = createChannel(options);
  const open = createOpener(channel, options);
  return {
    unary(method, request, callOptions = {}) {
      const bytes = encode(method.request, request);
      return new Promise((resolve, reject) => {
        /** @param again whether a call that the server refused unseen may be made once more */
        const attempt = (again: boolean): void => {
          let answer: Decoded<typeof method.response> | undefined;
          let count = 0;
          open(method, callOptions, {
            onStart: (call) => call.end(bytes),
            onMessage(message) {
              answer = message;
              count += 1;
            },
            onEnd(status) {
              if (status.code === "OK" && count === 1) resolve(answer!);
              else if (status.code === "OK")
                reject(new GrpcError("INTERNAL", `${method.path} answered ${count} messages instead of one`));
              else if (status.neverSent && status.refused && again) attempt(false);
              else reject(errorOf(status));
            },
          });
        };
        attempt(true);
      });
    },
    stream(method, streamOptions) {
      return new Promise((opened, failed) => {
        let started = false;
        let cancelled = false;
        let settle: (status: GrpcStatus) => void = () => {};
        const done = new Promise<void>((resolve, reject) => {
          settle = (status) => (status.code === "OK" || cancelled ? resolve() : reject(errorOf(status)));
        });
        // A caller that ignores `done` sees the stream end; an unhandled rejection must not end the process.
        done.catch(() => undefined);
        open(method, streamOptions, {
          onStart(call, connection) {
            started = true;
            opened({
              send: (message) => call.send(encode(method.request, message)),
              drained: call.drained,
              end: () => call.end(),
              cancel() {
                cancelled = true;
                call.cancel({ code: "CANCELLED", message: "the call was cancelled" });
              },
              pause: call.pause,
              resume: call.resume,
              connection,
              done,
            });
          },
          onMessage: streamOptions.onMessage,
          onHeaders: streamOptions.onHeaders,
          onEnd: (status) => (started ? settle(status) : failed(errorOf(status))),
        });
      });
    },
    leaveEndpoint() {
      if (channel.current) channel.leave(channel.current);
    },
    get endpoint() {
      return channel.current?.endpoint.url;
    },
    close: () => channel.close(),
  };
}

const errorOf = (status: GrpcStatus): GrpcError =>
  new GrpcError(status.code, status.message || status.code, {
    neverSent: status.neverSent ?? false,
    cause: status.cause,
  });

interface CallEvents<Res extends MessageType> {
  readonly onStart: (call: Call, connection: Connection) => void;
  readonly onMessage: (message: Decoded<Res>) => void;
  readonly onHeaders?: ((metadata: Metadata) => void) | undefined;
  /** Called once, also when the call never started. */
  readonly onEnd: (status: GrpcStatus) => void;
}

type Opener = <Req extends MessageType, Res extends MessageType>(
  method: Method<Req, Res>,
  options: CallOptions,
  events: CallEvents<Res>,
) => void;

const noMetadata: Metadata = new Map();

/**
 * Deadlines and signals cover the wait for a connection as well as the call.
 * Where there is a connection the call starts at once: callbacks rather than promises, since this is the hot path.
 */
function createOpener(channel: Channel, options: GrpcClientOptions): Opener {
  const { clock, maxMessageBytes = 4 * 1024 * 1024, userAgent = "coxswain" } = options;
  return (method, callOptions, events) => {
    const { timeoutMs, signal, patient = false } = callOptions;
    const begun = timeoutMs === undefined ? 0 : clock.monotonic();
    let call: Call | undefined;
    const waiting = new AbortController();
    let ended = false;
    const stop = (status: GrpcStatus): void => {
      if (call) call.cancel(status);
      else finish({ ...status, neverSent: true });
      waiting.abort();
    };
    const timer =
      timeoutMs === undefined
        ? undefined
        : clock.setTimer(timeoutMs, () =>
            stop({ code: "DEADLINE_EXCEEDED", message: `${method.path} was not answered within ${timeoutMs} ms` }),
          );
    const onAbort = (): void => stop({ code: "CANCELLED", message: "the call was cancelled" });
    signal?.addEventListener("abort", onAbort, { once: true });
    const finish = (status: GrpcStatus): void => {
      if (ended) return;
      ended = true;
      timer?.cancel();
      signal?.removeEventListener("abort", onAbort);
      events.onEnd(status);
    };
    const start = (connection: Connection): void => {
      if (ended) return;
      try {
        call = startCall(connection, {
          path: method.path,
          metadata: callOptions.metadata ?? noMetadata,
          timeoutMs: timeoutMs === undefined ? undefined : timeoutMs - (clock.monotonic() - begun),
          maxMessageBytes,
          userAgent,
          onMessage: (bytes) => events.onMessage(decode(method.response, bytes)),
          onHeaders: events.onHeaders,
          onEnd: finish,
        });
      } catch (error) {
        return finish(statusOf(error));
      }
      events.onStart(call, connection);
    };
    if (signal?.aborted) return onAbort();
    if (channel.current) return start(channel.current);
    channel.acquire({ patient, signal: waiting.signal }).then(start, (error: unknown) => finish(statusOf(error)));
  };
}

const statusOf = (error: unknown): GrpcStatus =>
  error instanceof GrpcError
    ? { code: error.code, message: error.message, neverSent: error.neverSent, cause: error.cause }
    : { code: "INTERNAL", message: (error as Error).message, neverSent: true, cause: error };
