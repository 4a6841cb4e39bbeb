import { GrpcError } from "./status.js";

/** A message with its five bytes in front: not compressed, and how long it is. */
export function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(message.length + 5);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, 5);
  return framed;
}

/** Cuts what arrives into messages. */
export class FrameReader {
  readonly #limit: number;
  readonly #onMessage: (message: Buffer) => void;
  #parts: Buffer[] = [];
  #held = 0;

  /** @param limit longer messages are refused */
  constructor(limit: number, onMessage: (message: Buffer) => void) {
    this.#limit = limit;
    this.#onMessage = onMessage;
  }

  /** Whether it stands between two messages. */
  get idle(): boolean {
    return this.#held === 0;
  }

  push(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#held += chunk.length;
    while (this.#held >= 5) {
      const length = this.#lengthOfNext();
      if (this.#held < 5 + length) return;
      const whole = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts, this.#held);
      const rest = whole.subarray(5 + length);
      this.#parts = rest.length > 0 ? [rest] : [];
      this.#held = rest.length;
      this.#onMessage(whole.subarray(5, 5 + length));
    }
  }

  #lengthOfNext(): number {
    let head = this.#parts[0]!;
    if (head.length < 5) {
      head = Buffer.concat(this.#parts, this.#held);
      this.#parts = [head];
    }
    if (head[0] !== 0) throw new GrpcError("INTERNAL", "a message is compressed, which was not agreed on");
    const length = head.readUInt32BE(1);
    if (length > this.#limit)
      throw new GrpcError("RESOURCE_EXHAUSTED", `a message of ${length} bytes is over the limit of ${this.#limit}`);
    return length;
  }
}
