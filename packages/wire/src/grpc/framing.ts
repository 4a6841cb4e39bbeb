import { ByteCollector } from "../bytes/index.js";
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
  readonly #bytes = new ByteCollector();

  /** @param limit longer messages are refused */
  constructor(limit: number, onMessage: (message: Buffer) => void) {
    this.#limit = limit;
    this.#onMessage = onMessage;
  }

  /** Whether it stands between two messages. */
  get idle(): boolean {
    return this.#bytes.length === 0;
  }

  push(chunk: Buffer): void {
    this.#bytes.add(chunk);
    for (let head = this.#bytes.peek(5); head; head = this.#bytes.peek(5)) {
      const length = this.#lengthOf(head);
      if (this.#bytes.length < 5 + length) return;
      this.#onMessage(this.#bytes.take(5 + length).subarray(5));
    }
  }

  #lengthOf(head: Buffer): number {
    if (head[0] !== 0) throw new GrpcError("INTERNAL", "a message is compressed, which was not agreed on");
    const length = head.readUInt32BE(1);
    if (length > this.#limit)
      throw new GrpcError("RESOURCE_EXHAUSTED", `a message of ${length} bytes is over the limit of ${this.#limit}`);
    return length;
  }
}
