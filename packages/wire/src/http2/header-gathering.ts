import { flag, type Frame, frameType, maxStreamId, withoutPadding } from "./frame.js";
import { errorCode, Http2Error } from "./http2-error.js";

/** A block of headers that has come whole. */
export interface HeaderBlock {
  readonly stream: number;
  /** Nothing follows on the stream. */
  readonly isEnd: boolean;
  /** Its stream is said to depend on itself, which cannot be. */
  readonly dependsOnItself: boolean;
  readonly bytes: Buffer;
}

/** No headers need more frames, even if each holds little. */
const mostParts = 256;

/** Puts the parts of a block of headers together: one frame, and as many continuations as the other side likes, with nothing between them. */
export class HeaderGathering {
  readonly #maxBytes: number;
  #first: Frame | undefined;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Every frame comes by here, before anybody looks at it. @throws Http2Error for one that may not come now */
  check({ type, stream }: Frame): void {
    const isContinuation = type === frameType.continuation;
    if (!this.#first && isContinuation)
      throw new Http2Error(errorCode.protocolError, "a continuation has nothing to continue");
    if (this.#first && (!isContinuation || stream !== this.#first.stream))
      throw new Http2Error(errorCode.protocolError, "headers are interrupted by another frame");
  }

  /** Headers, or a continuation. @returns the block once it is complete @throws Http2Error when it becomes too long */
  add(frame: Frame): HeaderBlock | undefined {
    const first = (this.#first ??= frame);
    const part = first === frame ? withoutPadding(frame) : frame.payload;
    this.#length += part.length;
    if (this.#length > this.#maxBytes || this.#parts.length >= mostParts)
      throw new Http2Error(errorCode.protocolError, "headers are too long");
    if ((frame.flags & flag.endHeaders) === 0) {
      this.#parts.push(part);
      return undefined;
    }
    const bytes = first === frame ? part : Buffer.concat([...this.#parts, part]);
    this.#first = undefined;
    if (first !== frame) this.#parts = [];
    this.#length = 0;
    return {
      stream: first.stream,
      isEnd: (first.flags & flag.endStream) !== 0,
      dependsOnItself: (first.flags & flag.priority) !== 0 && dependencyOf(first) === first.stream,
      bytes,
    };
  }
}

/** On which stream one is said to depend: in a frame of priority, or in headers that begin with one. */
export function dependencyOf({ type, flags, payload }: Frame): number {
  const at = type === frameType.headers && (flags & flag.padded) !== 0 ? 1 : 0;
  return payload.length < at + 4 ? 0 : payload.readUInt32BE(at) & maxStreamId;
}
