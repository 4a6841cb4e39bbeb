import { errorCode } from "../http2/index.js";

/** In the order of their numbers on the wire. */
export const grpcCodes = [
  "OK",
  "CANCELLED",
  "UNKNOWN",
  "INVALID_ARGUMENT",
  "DEADLINE_EXCEEDED",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION",
  "ABORTED",
  "OUT_OF_RANGE",
  "UNIMPLEMENTED",
  "INTERNAL",
  "UNAVAILABLE",
  "DATA_LOSS",
  "UNAUTHENTICATED",
] as const;
export type GrpcCode = (typeof grpcCodes)[number];

/** A call that did not end with OK. */
export class GrpcError extends Error {
  readonly code: GrpcCode;
  /** The server has certainly not acted on the call, so it may be made again. */
  readonly neverSent: boolean;

  constructor(code: GrpcCode, message: string, options: { neverSent?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "GrpcError";
    this.code = code;
    this.neverSent = options.neverSent ?? false;
  }
}

export const hasGrpcCode = (error: unknown, code: GrpcCode): boolean =>
  error instanceof GrpcError && error.code === code;

/** How a call ended. */
export interface GrpcStatus {
  readonly code: GrpcCode;
  readonly message: string;
  readonly neverSent?: boolean;
  /** The server was there but took no more calls: the next connection may be better. */
  readonly refused?: boolean;
  readonly cause?: unknown;
}

export const codeOfNumber = (number: number): GrpcCode => grpcCodes[number] ?? "UNKNOWN";
export const numberOfCode = (code: GrpcCode): number => grpcCodes.indexOf(code);

/** For an answer that came from something other than a gRPC server, a proxy for instance. */
export function codeOfHttpStatus(status: number): GrpcCode {
  if (status === 400) return "INTERNAL";
  if (status === 401) return "UNAUTHENTICATED";
  if (status === 403) return "PERMISSION_DENIED";
  if (status === 404) return "UNIMPLEMENTED";
  if (status === 429 || status === 502 || status === 503 || status === 504) return "UNAVAILABLE";
  return "UNKNOWN";
}

/** For a stream that was reset before its trailers arrived. */
export function statusOfReset(resetCode: number): GrpcStatus {
  switch (resetCode) {
    case errorCode.refusedStream:
      return {
        code: "UNAVAILABLE",
        message: "the server refused the call before acting on it",
        neverSent: true,
        refused: true,
      };
    case errorCode.cancel:
      return { code: "CANCELLED", message: "the server cancelled the call" };
    case errorCode.enhanceYourCalm:
      return { code: "RESOURCE_EXHAUSTED", message: "the server asked to slow down" };
    case errorCode.inadequateSecurity:
      return { code: "PERMISSION_DENIED", message: "the connection is not secure enough for the server" };
    default:
      return { code: "INTERNAL", message: `the call ended without a status (HTTP/2 error ${resetCode})` };
  }
}

/** Percent-encoding, as `grpc-message` has it. */
export const encodeStatusMessage = (text: string): string =>
  Buffer.from(text, "utf8").reduce(
    (out, byte) =>
      out +
      (byte >= 0x20 && byte <= 0x7e && byte !== 0x25
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`),
    "",
  );

/** A wrong escape stays as it is: better an odd message than none. */
export const decodeStatusMessage = (text: string): string =>
  Buffer.from(
    text.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString("utf8");
