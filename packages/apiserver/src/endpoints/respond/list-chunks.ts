import type { ListAnswer } from "../../server/answer.js";
import type { ByteSink, ListText } from "./form.js";

const chunkBytes = 1 << 20;

/**
 * A list as chunks of about 1 MiB, made as they are taken. Two buffers are used in turn: a chunk stays as it is until the one
 * after the next is asked for, so at most one may be under way while the next is being made.
 */
export function* listChunks(answer: ListAnswer, text: ListText): Generator<Uint8Array, void> {
  const sink = new ChunkSink();
  sink.append(text.before);
  let first = true;
  for (const entry of answer.entries) {
    text.item(entry, first, sink);
    first = false;
    if (sink.used >= chunkBytes) yield sink.take();
  }
  sink.append(text.after);
  yield sink.take();
}

class ChunkSink implements ByteSink {
  #buffer: Uint8Array;
  #spare: Uint8Array | undefined;
  used = 0;

  constructor() {
    this.#buffer = Buffer.allocUnsafe(64 << 10);
  }

  append(bytes: Uint8Array, start = 0, end = bytes.length): void {
    const length = end - start;
    if (this.used + length > this.#buffer.length) this.#grow(this.used + length);
    this.#buffer.set(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end), this.used);
    this.used += length;
  }

  take(): Uint8Array {
    const full = this.#buffer.subarray(0, this.used);
    const next = this.#spare ?? Buffer.allocUnsafe(this.#buffer.length);
    this.#spare = this.#buffer;
    this.#buffer = next;
    this.used = 0;
    return full;
  }

  #grow(wanted: number): void {
    let length = this.#buffer.length;
    while (length < wanted) length *= 2;
    const larger = Buffer.allocUnsafe(length);
    larger.set(this.#buffer.subarray(0, this.used));
    this.#buffer = larger;
  }
}
