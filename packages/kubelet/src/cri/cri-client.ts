import type { Runtime } from "@coxswain/runtime";
import {
  createGrpcClient,
  type GrpcClient,
  type GrpcCode,
  GrpcError,
  hasGrpcCode,
  type Method,
} from "@coxswain/wire/grpc";
import type { Decoded, Encodable, MessageType } from "@coxswain/wire/protobuf";
import { RuntimeError } from "../runtime/container-runtime.js";
import { createOperationMetrics } from "./operation-metrics.js";

export interface CriClientOptions {
  /** `unix:///run/containerd/containerd.sock`. */
  readonly endpoint: string;
  readonly runtime: Pick<Runtime, "ioClock" | "random" | "metrics">;
  /** `runtimeRequestTimeout`. @default 2 min */
  readonly timeoutMs?: number;
}

export interface CriCallOptions {
  /** Instead of the client's; 0: none. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Calls to a container runtime; failures are `RuntimeError`s. */
export interface CriClient {
  call<Req extends MessageType, Res extends MessageType>(
    method: Method<Req, Res>,
    request: Encodable<Req>,
    options?: CriCallOptions,
  ): Promise<Decoded<Res>>;
  /** Messages as they come, until the signal aborts. @throws RuntimeError when the stream ends otherwise */
  follow<Req extends MessageType, Res extends MessageType>(
    method: Method<Req, Res>,
    request: Encodable<Req>,
    onMessage: (message: Decoded<Res>) => void,
    signal: AbortSignal,
  ): Promise<void>;
  close(): Promise<void>;
}

/** Lists of many containers are long. Upstream's `cri-client`, maxMsgSize. */
const maxMessageBytes = 16 * 1024 * 1024;
const defaultTimeoutMs = 120_000;

export function createCriClient({ endpoint, runtime, timeoutMs = defaultTimeoutMs }: CriClientOptions): CriClient {
  const grpc: GrpcClient = createGrpcClient({
    endpoints: [endpoint],
    clock: runtime.ioClock,
    random: runtime.random,
    maxMessageBytes,
  });
  const operations = createOperationMetrics(runtime.metrics, runtime.ioClock);
  return {
    async call(method, request, options = {}) {
      const limit = options.timeoutMs ?? timeoutMs;
      try {
        const settings = { ...(limit > 0 && { timeoutMs: limit }), signal: options.signal };
        return await operations.count(method.path, () => grpc.unary(method, request, settings));
      } catch (error) {
        options.signal?.throwIfAborted();
        throw refusal(isLate(error, method) ? new GrpcError("DEADLINE_EXCEEDED", lateText, { cause: error }) : error);
      }
    },
    async follow(method, request, onMessage, signal) {
      try {
        const stream = await grpc.stream(method, { onMessage, signal });
        stream.send(request);
        stream.end();
        await stream.done;
      } catch (error) {
        if (!signal.aborted) throw refusal(error);
      }
    },
    close: () => grpc.close(),
  };
}

/** A failed call, with the code that the runtime answered. */
export class CriError extends RuntimeError {
  override readonly name = "CriError";
  readonly code: GrpcCode;

  constructor({ code, message, cause }: GrpcError) {
    super(message, { cause });
    this.code = code;
  }

  /** As Go prints it. */
  get whole(): string {
    return `rpc error: code = ${goName(this.code)} desc = ${this.message}`;
  }
}

/** Go's words for a call that this side gave up; pods show them in events. */
const lateText = "context deadline exceeded";
/** Whether this side gave up, and not the runtime: the client's own message begins with the method. */
const isLate = (error: unknown, { path }: Pick<Method<MessageType, MessageType>, "path">): boolean =>
  hasGrpcCode(error, "DEADLINE_EXCEEDED") && (error as Error).message.startsWith(path);

const refusal = (error: unknown): unknown => (error instanceof GrpcError ? new CriError(error) : error);

export const hasCriCode = (error: unknown, code: GrpcCode): boolean =>
  (error instanceof CriError && error.code === code) || hasGrpcCode(error, code);

/** The runtime does not know the method. containerd answers some of them with another code. */
export const isUnimplemented = (error: unknown): boolean =>
  hasCriCode(error, "UNIMPLEMENTED") ||
  (hasCriCode(error, "UNKNOWN") && /not implemented/.test((error as Error).message));

/** `NOT_FOUND` is `NotFound`. */
const goName = (code: GrpcCode): string =>
  code === "OK"
    ? code
    : code
        .split("_")
        .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
        .join("");

/** The same refusal with the code in its text, for messages that upstream prints whole. */
export function wholeError(error: unknown): unknown {
  return error instanceof CriError ? new RuntimeError(error.whole, { cause: error }) : error;
}
