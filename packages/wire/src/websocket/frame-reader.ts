import { ByteCollector } from "../bytes/index.js";
import { applyMask, closeCode, type Frame, opcode, WebSocketError } from "./frame.js";

export interface FrameReaderOptions {
  /** Whether the other side must mask (a client), or must not (a server). */
  readonly masked: boolean;
  readonly maxPayloadBytes: number;
}

/** Cuts what arrives into frames. Throws a WebSocketError at the first that breaks the rules. */
export class FrameReader {
  readonly #options: FrameReaderOptions;
  readonly #bytes = new ByteCollector();

  constructor(options: FrameReaderOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): void {
    this.#bytes.add(chunk);
  }

  /** The next frame, once it is there whole. */
  next(): Frame | undefined {
    const head = this.#bytes.peek(2);
    if (!head) return undefined;
    const short = head[1]! & 0x7f;
    const masked = head[1]! >= 0x80;
    this.#check(head[0]!, short, masked);
    const headLength = 2 + (short === 126 ? 2 : short === 127 ? 8 : 0) + (masked ? 4 : 0);
    const whole = this.#bytes.peek(headLength);
    if (!whole) return undefined;
    const length = short === 126 ? whole.readUInt16BE(2) : short === 127 ? Number(whole.readBigUInt64BE(2)) : short;
    if (length > this.#options.maxPayloadBytes)
      throw new WebSocketError(
        closeCode.tooBig,
        `a frame of ${length} bytes is over the limit of ${this.#options.maxPayloadBytes}`,
      );
    if (this.#bytes.length < headLength + length) return undefined;
    const frame = this.#bytes.take(headLength + length);
    const payload = frame.subarray(headLength);
    if (masked) applyMask(payload, frame.subarray(headLength - 4, headLength));
    return { opcode: head[0]! & 0x0f, final: head[0]! >= 0x80, payload };
  }

  #check(first: number, length: number, masked: boolean): void {
    const kind = first & 0x0f;
    if ((first & 0x70) !== 0)
      throw new WebSocketError(closeCode.protocolError, "a frame uses an extension that was not agreed on");
    if (masked !== this.#options.masked)
      throw new WebSocketError(
        closeCode.protocolError,
        masked ? "a server's frame is masked" : "a client's frame is not masked",
      );
    if (!Object.values(opcode).includes(kind as never))
      throw new WebSocketError(closeCode.protocolError, `a frame has the unknown opcode ${kind}`);
    if (kind >= opcode.close && (first < 0x80 || length > 125))
      throw new WebSocketError(closeCode.protocolError, "a control frame is fragmented or too long");
  }
}
