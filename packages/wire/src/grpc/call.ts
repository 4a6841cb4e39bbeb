import {
  type ClientStream,
  encodeHeaders,
  errorCode,
  type Header,
  headerValue,
  type StreamEnd,
} from "../http2/index.js";
import type { Connection } from "./connection.js";
import { FrameReader, frame } from "./framing.js";
import { decodeMetadata, encodeMetadata, encodeTimeout, type Metadata } from "./metadata.js";
import {
  codeOfHttpStatus,
  codeOfNumber,
  decodeStatusMessage,
  GrpcError,
  type GrpcStatus,
  statusOfReset,
} from "./status.js";

export interface CallStart {
  readonly path: string;
  readonly metadata: Metadata;
  /** Sent to the server as grpc-timeout. */
  readonly timeoutMs: number | undefined;
  readonly maxMessageBytes: number;
  readonly userAgent: string;
  /** One that throws ends the call. */
  readonly onMessage: (message: Buffer) => void;
  readonly onHeaders: ((metadata: Metadata) => void) | undefined;
  /** Called once, after the last message. */
  readonly onEnd: (status: GrpcStatus) => void;
}

/** One call on one connection, in bytes. */
export interface Call {
  /** False when the caller should wait for `drained` before it sends more. */
  send(message: Uint8Array): boolean;
  drained(): Promise<void>;
  /** Sends a last message, if any, and half-closes the stream. */
  end(message?: Uint8Array): void;
  cancel(status: GrpcStatus): void;
  pause(): void;
  resume(): void;
}

export function startCall(connection: Connection, start: CallStart): Call {
  const server = connection.endpoint.url;
  let ended: GrpcStatus | undefined;
  let answered: readonly Header[] = [];
  let trailers: readonly Header[] | undefined;
  const reader = new FrameReader(start.maxMessageBytes, (message) => {
    if (!ended) start.onMessage(message);
  });
  const cancel = (status: GrpcStatus): void => {
    if (ended) return;
    ended = status;
    stream.reset(errorCode.cancel);
  };
  const stream: ClientStream = connection.request(headerBlock(connection, start), {
    onHeaders(headers) {
      if (answered.length > 0) trailers = headers;
      // An informational answer may come before the real one.
      else if (!headerValue(headers, ":status")?.startsWith("1")) {
        answered = headers;
        start.onHeaders?.(decodeMetadata(headers));
      }
    },
    onData(chunk) {
      try {
        if (!ended) reader.push(chunk);
      } catch (error) {
        cancel(
          error instanceof GrpcError
            ? error
            : { code: "INTERNAL", message: `a message could not be read: ${(error as Error).message}` },
        );
      }
    },
    onEnd(end) {
      const status = ended ?? statusOf({ end, answered, trailers, server });
      ended = status;
      start.onEnd(
        status.code === "OK" && !reader.idle
          ? { code: "INTERNAL", message: "the answer ended in the middle of a message" }
          : status,
      );
    },
  });
  return {
    send: (message) => stream.write(frame(message)),
    drained: () => stream.drained(),
    end: (message) => stream.end(message && frame(message)),
    cancel,
    pause: () => stream.pause(),
    resume: () => stream.resume(),
  };
}

/** Blocks refer to nothing, so what is the same for every call of a method is made once. */
const commonBlocks = new Map<string, Buffer>();

function headerBlock({ endpoint }: Connection, { path, userAgent, timeoutMs, metadata }: CallStart): Buffer {
  const scheme = endpoint.secure ? "https" : "http";
  const name = `${scheme} ${endpoint.authority} ${path} ${userAgent}`;
  let common = commonBlocks.get(name);
  if (!common) {
    common = encodeHeaders([
      [":method", "POST"],
      [":scheme", scheme],
      [":path", path],
      [":authority", endpoint.authority],
      ["te", "trailers"],
      ["content-type", "application/grpc"],
      ["user-agent", userAgent],
    ]);
    // Methods and endpoints are few; should somebody make up paths, this does not grow for ever.
    if (commonBlocks.size > 1000) commonBlocks.clear();
    commonBlocks.set(name, common);
  }
  const own: Header[] = metadata.size > 0 ? encodeMetadata(metadata) : [];
  if (timeoutMs !== undefined) own.push(["grpc-timeout", encodeTimeout(timeoutMs)]);
  return own.length === 0 ? common : Buffer.concat([common, encodeHeaders(own)]);
}

function statusOf({
  end,
  answered,
  trailers,
  server,
}: {
  end: StreamEnd;
  answered: readonly Header[];
  trailers: readonly Header[] | undefined;
  server: string;
}): GrpcStatus {
  // Without messages a server may put the status into the answer's headers.
  const status = trailers ?? answered;
  const number = headerValue(status, "grpc-status");
  if (number !== undefined)
    return {
      code: codeOfNumber(Number(number)),
      message: decodeStatusMessage(headerValue(status, "grpc-message") ?? ""),
    };
  const http = Number(headerValue(answered, ":status") ?? 200);
  if (http !== 200)
    return { code: codeOfHttpStatus(http), message: `${server} answered HTTP status ${http} instead of a gRPC status` };
  switch (end.kind) {
    case "refused":
      return statusOfReset(errorCode.refusedStream);
    case "reset":
      return statusOfReset(end.code);
    case "lost":
      return {
        code: "UNAVAILABLE",
        message: `the connection to ${server} was lost${end.error ? `: ${end.error.message}` : ""}`,
        cause: end.error,
      };
    case "ended":
      return statusOfReset(errorCode.noError);
  }
}
