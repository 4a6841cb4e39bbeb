import { decode, type Decoded, encode, type Encodable, type MessageType } from "../protobuf/index.js";
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
 * `GrpcError.neverSent` tells the caller when repeating is safe.
 */
export interface GrpcClient {
  /** One message there, one back. */
  unary<Req extends MessageType, Res extends MessageType>(method: Method<Req, Res>, request: Encodable<Req>, options?: CallOptions): Promise<Decoded<Res>>;
  /** Any number of messages either way. Resolves when the stream is on a connection. */
  stream<Req extends MessageType, Res extends MessageType>(method: Method<Req, Res>, options: StreamOptions<Res>): Promise<GrpcStream<Req>>;
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
      const begun = options.clock.monotonic();
      return new Promise((resolve, reject) => {
        /** @param again whether a call that the server refused unseen may be made once more */
        const attempt = (again: boolean): void => {
          let answer: Decoded<typeof method.response> | undefined;
          let count = 0;
          const onMessage = (message: Decoded<typeof method.response>): void => {
            answer = message;
            count += 1;
          };
          const onEnd = (status: GrpcStatus): void => {
            if (status.neverSent && again) attempt(false);
            else if (status.code !== "OK") reject(errorOf(status));
            else if (count === 1) resolve(answer!);
            else reject(new GrpcError("INTERNAL", `${method.path} answered ${count} messages instead of one`));
          };
          const timeoutMs = callOptions.timeoutMs === undefined || again ? callOptions.timeoutMs : callOptions.timeoutMs - (options.clock.monotonic() - begun);
          open(method, { ...callOptions, timeoutMs, onMessage }, onEnd).then((call) => call.end(bytes), reject);
        };
        attempt(true);
      });
    },
    async stream(method, streamOptions) {
      let settle: (status: GrpcStatus) => void = () => {};
      let cancelled = false;
      const done = new Promise<void>((resolve, reject) => {
        settle = (status) => (status.code === "OK" || cancelled ? resolve() : reject(errorOf(status)));
      });
      // Whoever does not look at `done` has still been told by the stream's silence; it must not end the process.
      done.catch(() => undefined);
      const call = await open(method, streamOptions, (status) => settle(status));
      return {
        send: (message) => call.send(encode(method.request, message)),
        drained: call.drained,
        end: () => call.end(),
        cancel() {
          cancelled = true;
          call.cancel({ code: "CANCELLED", message: "the call was cancelled" });
        },
        pause: call.pause,
        resume: call.resume,
        connection: call.connection,
        done,
      };
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

const errorOf = (status: GrpcStatus): GrpcError => new GrpcError(status.code, status.message || status.code, { neverSent: status.neverSent ?? false });

type Opener = <Req extends MessageType, Res extends MessageType>(method: Method<Req, Res>, options: StreamOptions<Res>, onEnd: (status: GrpcStatus) => void) => Promise<Call & { connection: Connection }>;

/** Deadlines and signals cover the wait for a connection as well as the call. */
function createOpener(channel: Channel, options: GrpcClientOptions): Opener {
  const { clock, maxMessageBytes = 4 * 1024 * 1024, userAgent = "coxswain" } = options;
  return async (method, callOptions, onEnd) => {
    const { timeoutMs, signal, patient = false } = callOptions;
    const begun = clock.monotonic();
    let call: Call | undefined;
    let early: GrpcError | undefined;
    const waiting = new AbortController();
    const stop = (code: "DEADLINE_EXCEEDED" | "CANCELLED", message: string): void => {
      early ??= new GrpcError(code, message, { neverSent: call === undefined });
      call?.cancel({ code, message });
      waiting.abort();
    };
    const timer = timeoutMs === undefined ? undefined : clock.setTimer(timeoutMs, () => stop("DEADLINE_EXCEEDED", `${method.path} was not answered within ${timeoutMs} ms`));
    const onAbort = (): void => stop("CANCELLED", "the call was cancelled");
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    const release = (): void => {
      timer?.cancel();
      signal?.removeEventListener("abort", onAbort);
    };
    try {
      const connection = channel.current ?? (await channel.acquire({ patient, signal: waiting.signal }));
      if (early) throw early;
      call = startCall(connection, {
        path: method.path,
        metadata: callOptions.metadata ?? new Map(),
        timeoutMs: timeoutMs === undefined ? undefined : timeoutMs - (clock.monotonic() - begun),
        maxMessageBytes,
        userAgent,
        onMessage: (bytes) => callOptions.onMessage(decode(method.response, bytes)),
        onHeaders: callOptions.onHeaders,
        onEnd(status) {
          release();
          onEnd(status);
        },
      });
      return { ...call, connection };
    } catch (error) {
      release();
      throw early ?? error;
    }
  };
}
