import type { SegmentFile, SegmentFiles } from "./segment-files.js";

/** Segments that end with the process. */
export function memoryFiles(): SegmentFiles {
  const segments = new Map<number, MemorySegment>();
  const indexes = new Map<number, Buffer>();
  const open = async (number: number): Promise<SegmentFile> => segments.get(number)!;
  return {
    list: async () => [...segments.keys()].sort((a, b) => a - b),
    create(number) {
      segments.set(number, new MemorySegment());
      return open(number);
    },
    open,
    async remove(number) {
      segments.delete(number);
      indexes.delete(number);
    },
    writeIndex: async (number, bytes) => void indexes.set(number, bytes),
    readIndex: async (number) => indexes.get(number),
  };
}

class MemorySegment implements SegmentFile {
  /** By where they begin, in order. */
  readonly #parts: { readonly offset: number; readonly bytes: Buffer }[] = [];
  bytes = 0;

  async append(bytes: Buffer): Promise<void> {
    this.#parts.push({ offset: this.bytes, bytes: Buffer.from(bytes) });
    this.bytes += bytes.length;
  }

  async read(offset: number, length: number): Promise<Buffer> {
    const end = offset + length;
    const parts = this.#parts.slice(this.#partAt(offset)).filter((part) => part.offset < end);
    const [only] = parts;
    if (parts.length === 1 && only) return only.bytes.subarray(offset - only.offset, end - only.offset);
    const all = Buffer.concat(parts.map(({ bytes }) => bytes));
    const from = offset - (only?.offset ?? offset);
    return all.subarray(from, from + length);
  }

  async truncate(bytes: number): Promise<void> {
    const kept = await this.read(0, bytes);
    this.#parts.splice(0, this.#parts.length, { offset: 0, bytes: Buffer.from(kept) });
    this.bytes = bytes;
  }

  async close(): Promise<void> {}

  /** The part that an offset lies in. */
  #partAt(offset: number): number {
    let low = 0;
    let high = this.#parts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#parts[middle]!.offset <= offset) low = middle + 1;
      else high = middle;
    }
    return Math.max(low - 1, 0);
  }
}
