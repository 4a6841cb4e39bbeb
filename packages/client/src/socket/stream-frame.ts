/**
 * Many requests over one WebSocket. A message is one frame: a byte for its kind, four for the number of its stream, then what the
 * kind holds. Numbers are the opener's, never used twice on a connection. Kinds that only one side sends are marked.
 */
export const frameKind = {
  /** Opener: a request without its body, as JSON (`OpenFrame`). */
  open: 1,
  /** A piece of a body, or one message of an upgraded stream. Of an answer only as much as there is credit for. */
  data: 2,
  /** No more data from this side. */
  end: 3,
  /** Opener: so many more bytes may be sent to it, as a 32-bit number. */
  credit: 4,
  /** The stream is over at once. From the relay with the reason, as JSON (`ResetFrame`). */
  reset: 5,
  /** Relay: status and headers of the answer, as JSON (`HeadFrame`). */
  head: 6,
} as const;

export type FrameKind = (typeof frameKind)[keyof typeof frameKind];

export interface OpenFrame {
  readonly method: string;
  /** Percent-encoded, with the query. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Whether data frames with a body follow. */
  readonly hasBody: boolean;
  /** The request becomes a WebSocket of one of these protocols; data frames are its messages, in both directions. */
  readonly upgrade?: readonly string[];
}

export interface HeadFrame {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Of an upgraded stream. */
  readonly protocol?: string;
}

export interface ResetFrame {
  readonly kind: "connect" | "lost" | "timeout" | "malformed" | "refused";
  readonly message: string;
  readonly neverSent: boolean;
}

export interface Frame {
  readonly kind: number;
  readonly stream: number;
  readonly payload: Uint8Array;
}

/** Bytes of an answer that the relay may send before it receives credit. */
export const initialCredit = 256 * 1024;

/** Payloads are at most so long; longer bodies are several frames. */
export const maxPayloadBytes = 256 * 1024;

const headBytes = 5;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

export function encodeFrame(kind: FrameKind, stream: number, payload: Uint8Array = new Uint8Array(0)): Uint8Array {
  const frame = new Uint8Array(headBytes + payload.length);
  frame[0] = kind;
  new DataView(frame.buffer).setUint32(1, stream);
  frame.set(payload, headBytes);
  return frame;
}

export const encodeJsonFrame = (kind: FrameKind, stream: number, value: unknown): Uint8Array =>
  encodeFrame(kind, stream, encoder.encode(JSON.stringify(value)));

export function encodeCredit(stream: number, bytes: number): Uint8Array {
  const payload = new Uint8Array(4);
  new DataView(payload.buffer).setUint32(0, bytes);
  return encodeFrame(frameKind.credit, stream, payload);
}

/** Undefined: too short to be one. */
export function decodeFrame(message: Uint8Array): Frame | undefined {
  if (message.length < headBytes) return undefined;
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  return { kind: message[0] ?? 0, stream: view.getUint32(1), payload: message.subarray(headBytes) };
}

/** Undefined: the payload has another length. */
export const decodeCredit = ({ payload }: Frame): number | undefined =>
  payload.length === 4 ? new DataView(payload.buffer, payload.byteOffset, 4).getUint32(0) : undefined;

/** @throws SyntaxError, TypeError for what is no JSON in UTF-8 */
export const decodeJsonFrame = ({ payload }: Frame): unknown => JSON.parse(decoder.decode(payload));
