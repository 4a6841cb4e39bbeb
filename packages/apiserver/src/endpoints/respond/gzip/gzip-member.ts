import { promisify } from "node:util";
import { constants, crc32, deflateRaw } from "node:zlib";
import { concat } from "../text.js";
import { combineCrc32 } from "./crc32-combine.js";

const deflate = promisify<Uint8Array, { level: number; finishFlush: number }, Buffer>(deflateRaw);

/** Some bytes, deflated so that other segments may stand before and after it in one member. */
export interface Segment {
  readonly deflated: Uint8Array;
  readonly crc: number;
  /** Before it was deflated. */
  readonly length: number;
}

/** Deflates in a thread of the pool, as fast as zlib can; what went before is never referred to. */
export async function deflateSegment(bytes: Uint8Array): Promise<Segment> {
  const crc = crc32(bytes);
  const { length } = bytes;
  return { deflated: await deflate(bytes, { level: 1, finishFlush: constants.Z_FULL_FLUSH }), crc, length };
}

/** No name, no time, made fast, on an unknown system: the same header for all. */
export const gzipHeader = Uint8Array.of(0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 4, 0xff);

/** Sums up the segments of one member as they go by. One member, since many clients read only the first. */
export class GzipMember {
  #crc = 0;
  #length = 0;

  add({ crc, length }: Segment): void {
    this.#crc = combineCrc32(this.#crc, crc, length);
    this.#length += length;
  }

  /** An empty last block, the checksum and the length. */
  end(): Uint8Array {
    const sums = Buffer.alloc(8);
    sums.writeUInt32LE(this.#crc, 0);
    sums.writeUInt32LE(this.#length % 0x1_0000_0000, 4);
    return concat(Uint8Array.of(0x03, 0x00), sums);
  }
}
