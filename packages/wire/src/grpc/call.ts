import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from "node:http2";
import type { Connection } from "./connection.js";
import { drained } from "../drained.js";
import { frame, FrameReader } from "./framing.js";
import { decodeMetadata, encodeMetadata, encodeTimeout, type Metadata } from "./metadata.js";
import { codeOfHttpStatus, codeOfNumber, decodeStatusMessage, GrpcError, type GrpcStatus, statusOfReset } from "./status.js";

export interface CallStart {
  readonly path: string;
  readonly metadata: Metadata;
  /** Told to the server. */
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
  /** Sends a last message, if any, and says that there will be no more. */
  end(message?: Uint8Array): void;
  cancel(status: GrpcStatus): void;
  pause(): void;
  resume(): void;
}

export function startCall(connection: Connection, start: CallStart): Call {
  const stream = connection.request({
    ":method": "POST",
    ":path": start.path,
    ":scheme": connection.endpoint.secure ? "https" : "http",
    ":authority": connection.endpoint.authority,
    te: "trailers",
    "content-type": "application/grpc",
    "user-agent": start.userAgent,
    ...(start.timeoutMs !== undefined && { "grpc-timeout": encodeTimeout(start.timeoutMs) }),
    ...(start.metadata.size > 0 && encodeMetadata(start.metadata)),
  });
  let ended: GrpcStatus | undefined;
  const cancel = (status: GrpcStatus): void => {
    if (ended) return;
    ended = status;
    stream.close(constants.NGHTTP2_CANCEL);
  };
  const reader = new FrameReader(start.maxMessageBytes, (message) => {
    if (!ended) start.onMessage(message);
  });
  const answer = listen(stream, start.onHeaders);
  stream.on("data", (chunk: Buffer) => {
    try {
      if (!ended) reader.push(chunk);
    } catch (error) {
      cancel(error instanceof GrpcError ? error : { code: "INTERNAL", message: `a message could not be read: ${(error as Error).message}` });
    }
  });
  // The server has said how it ends; whatever this side was still sending is in vain.
  stream.once("end", () => {
    if (!stream.writableFinished && answer.complete) stream.close(constants.NGHTTP2_CANCEL);
  });
  stream.once("close", () => {
    const status = ended ?? answer.status(connection.endpoint.url);
    // Not before the stream is over, so that no message can follow the status.
    start.onEnd(status.code === "OK" && !reader.idle ? { code: "INTERNAL", message: "the answer ended in the middle of a message" } : status);
  });
  return {
    send: (message) => !stream.destroyed && stream.write(frame(message)),
    drained: () => drained(stream),
    end: (message) => void (message ? stream.end(frame(message)) : stream.end()),
    cancel,
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
  };
}

/** Gathers what the server says of the call besides its messages. */
function listen(stream: ClientHttp2Stream, onHeaders: ((metadata: Metadata) => void) | undefined): { readonly complete: boolean; status(server: string): GrpcStatus } {
  let headers: IncomingHttpHeaders = {};
  let trailers: IncomingHttpHeaders = {};
  let error: Error | undefined;
  const { session } = stream; // A stream forgets its session when it closes.
  stream.once("response", (received) => {
    headers = received;
    onHeaders?.(decodeMetadata(received));
  });
  stream.once("trailers", (received) => void (trailers = received));
  stream.on("error", (cause: Error) => void (error ??= cause));
  return {
    /** Whether the server has said how the call ended. */
    get complete() {
      return trailers["grpc-status"] !== undefined || headers["grpc-status"] !== undefined;
    },
    status(server) {
      const number = trailers["grpc-status"] ?? headers["grpc-status"];
      if (typeof number === "string") return { code: codeOfNumber(Number(number)), message: decodeStatusMessage(String(trailers["grpc-message"] ?? headers["grpc-message"] ?? "")) };
      const http = Number(headers[":status"] ?? 200);
      if (http !== 200) return { code: codeOfHttpStatus(http), message: `${server} answered HTTP status ${http} instead of a gRPC status` };
      const reset = stream.rstCode ?? constants.NGHTTP2_NO_ERROR;
      const lost = session === undefined || session.destroyed || session.closed;
      if (reset === constants.NGHTTP2_REFUSED_STREAM) return statusOfReset(reset);
      // When the session goes, its streams are reset with a code that says nothing about them.
      if (lost) return { code: "UNAVAILABLE", message: `the connection to ${server} was lost${error ? `: ${error.message}` : ""}`, neverSent: stream.id === undefined };
      return statusOfReset(reset);
    },
  };
}
