import { type Frame, flag, frameType, maxStreamId, withoutPadding } from "./frame.js";
import { errorCode, Http2Error } from "./http2-error.js";

/** A complete header block. */
export interface HeaderBlock {
  readonly stream: number;
  /** END_STREAM is set. */
  readonly isEnd: boolean;
  /** The priority names the stream itself, which is an error. */
  readonly dependsOnItself: boolean;
  readonly bytes: Buffer;
}

/** CONTINUATION flood (CVE-2023-45288 in Go, CVE-2024-27983 in Node): a block has at most so many frames, however short they are. */
const maxFragments = 256;

/** Assembles header blocks from a HEADERS frame and its CONTINUATION frames, between which no other frame may come (RFC 9113, section 6.10). */
export class HeaderBlockAssembler {
  readonly #maxBytes: number;
  #first: Frame | undefined;
  #fragments: Buffer[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** To be called with every frame, before it is processed. @throws Http2Error for one that may not come now */
  check({ type, stream }: Frame): void {
    const isContinuation = type === frameType.continuation;
    if (!this.#first && isContinuation)
      throw new Http2Error(errorCode.protocolError, "CONTINUATION without a header block to continue");
    if (this.#first && (!isContinuation || stream !== this.#first.stream))
      throw new Http2Error(errorCode.protocolError, "a header block is interrupted by another frame");
  }

  /** HEADERS or CONTINUATION. @returns the block once it is complete @throws Http2Error when it becomes too long */
  add(frame: Frame): HeaderBlock | undefined {
    const first = (this.#first ??= frame);
    const fragment = first === frame ? withoutPadding(frame) : frame.payload;
    this.#length += fragment.length;
    if (this.#length > this.#maxBytes || this.#fragments.length >= maxFragments)
      throw new Http2Error(errorCode.protocolError, "a header block is too long");
    if ((frame.flags & flag.endHeaders) === 0) {
      this.#fragments.push(fragment);
      return undefined;
    }
    const bytes = first === frame ? fragment : Buffer.concat([...this.#fragments, fragment]);
    this.#first = undefined;
    if (first !== frame) this.#fragments = [];
    this.#length = 0;
    return {
      stream: first.stream,
      isEnd: (first.flags & flag.endStream) !== 0,
      dependsOnItself: (first.flags & flag.priority) !== 0 && dependencyOf(first) === first.stream,
      bytes,
    };
  }
}

/** The stream dependency in a PRIORITY frame, or in a HEADERS frame with priority. */
export function dependencyOf({ type, flags, payload }: Frame): number {
  const at = type === frameType.headers && (flags & flag.padded) !== 0 ? 1 : 0;
  return payload.length < at + 4 ? 0 : payload.readUInt32BE(at) & maxStreamId;
}
