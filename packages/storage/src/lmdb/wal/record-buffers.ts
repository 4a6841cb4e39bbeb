import { paddedLength } from "./wal-record.js";

const bufferBytes = 256 * 1024;
const maxPooled = 4;

interface PooledBuffer {
  readonly bytes: Buffer;
  used: number;
  /** How many records in it are still needed. */
  records: number;
  /** Somebody may read it for as long as they like: it is never written to again. */
  left: boolean;
}

/** A record's place in memory. */
export interface RecordBuffer {
  /** Whole pages, the rest behind the record filled with zeros. */
  readonly bytes: Buffer;
  readonly buffer: PooledBuffer;
}

/** Memory for records, several to a buffer; a buffer whose records are all done with is used again. */
export class RecordBuffers {
  #current: PooledBuffer | undefined;
  readonly #free: PooledBuffer[] = [];

  /** Lets `write` fill in at most `maxBytes`, which returns how many it took. */
  take(maxBytes: number, write: (bytes: Buffer) => number): RecordBuffer {
    const wanted = paddedLength(maxBytes);
    if (this.#current === undefined || this.#current.bytes.length - this.#current.used < wanted)
      this.#current = this.#next(wanted);
    const buffer = this.#current;
    const length = write(buffer.bytes.subarray(buffer.used, buffer.used + wanted));
    const bytes = buffer.bytes.subarray(buffer.used, buffer.used + paddedLength(length));
    bytes.fill(0, length);
    buffer.used += bytes.length;
    buffer.records += 1;
    return { bytes, buffer };
  }

  /** `reuse` is false when somebody may still read what lies there: then the memory is left to them. */
  giveBack({ buffer }: RecordBuffer, { reuse }: { reuse: boolean }): void {
    buffer.records -= 1;
    buffer.left ||= !reuse;
    if (buffer.left) {
      if (buffer === this.#current) this.#current = undefined;
    } else if (buffer.records === 0) {
      buffer.used = 0;
      if (buffer !== this.#current && buffer.bytes.length === bufferBytes && this.#free.length < maxPooled)
        this.#free.push(buffer);
    }
  }

  #next(wanted: number): PooledBuffer {
    const free = wanted <= bufferBytes ? this.#free.pop() : undefined;
    return free ?? { bytes: Buffer.allocUnsafeSlow(Math.max(bufferBytes, wanted)), used: 0, records: 0, left: false };
  }
}
