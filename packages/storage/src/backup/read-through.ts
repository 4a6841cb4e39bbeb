import type { FileHandle } from "node:fs/promises";

const chunkBytes = 1024 * 1024;

/** Reads a file from its beginning in large pieces and hands it out in small ones. */
export interface ThroughReader {
  /** The next bytes, valid until the next call; undefined if the file ends before. */
  take(length: number): Promise<Buffer | undefined>;
  /** Up to and with the next line break, if one comes within so many bytes. */
  line(most: number): Promise<Buffer | undefined>;
  /** How much has been handed out. */
  position(): number;
}

export function readThrough(file: FileHandle, size: number): ThroughReader {
  let held: Buffer = Buffer.alloc(0);
  let start = 0;
  let read = 0;

  async function fill(length: number): Promise<boolean> {
    while (held.length - start < length) {
      const want = Math.min(Math.max(chunkBytes, length), size - read);
      if (want <= 0) return false;
      const more = Buffer.allocUnsafe(want);
      const { bytesRead } = await file.read(more, 0, want, read);
      if (bytesRead === 0) return false;
      read += bytesRead;
      held = Buffer.concat([held.subarray(start), more.subarray(0, bytesRead)]);
      start = 0;
    }
    return true;
  }

  async function take(length: number): Promise<Buffer | undefined> {
    if (length > size || !(await fill(length))) return undefined;
    start += length;
    return held.subarray(start - length, start);
  }

  return {
    take,
    async line(most) {
      for (let seen = 0; seen < most; ) {
        const found = held.indexOf(10, start + seen);
        if (found >= 0) return take(found + 1 - start);
        seen = held.length - start;
        if (!(await fill(seen + 1))) return undefined;
      }
      return undefined;
    },
    position: () => read - (held.length - start),
  };
}
