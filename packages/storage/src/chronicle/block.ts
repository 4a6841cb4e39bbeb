import { crc32, inflateRawSync } from "node:zlib";
import { type BlockDeflater, deflateAlone, dictionaryOf } from "./block-deflater.js";

/** What is known of a block without inflating it. */
export interface BlockFacts {
  readonly kind: "changes" | "keyframe" | "gap";
  /** Of a keyframe: this block is its last. */
  readonly isEnd: boolean;
  readonly count: number;
  readonly rawBytes: number;
  /** Of its entries. */
  readonly firstRevision: number;
  readonly lastRevision: number;
  /** Of a keyframe: the revision it is the state of. Else everything up to here has been recorded. */
  readonly upTo: number;
  /** Milliseconds since 1970; 0: none of its entries has a time. */
  readonly firstTime: number;
  readonly lastTime: number;
  /** Of its keys and their prefixes, in order. */
  readonly hashes: Uint32Array;
}

export interface BlockPlace extends BlockFacts {
  /** Where its head begins in the segment. */
  readonly offset: number;
  /** Head and hashes. */
  readonly headBytes: number;
  readonly bodyBytes: number;
  /** So many bytes before it the block begins that it was deflated against, in the same segment; 0: it stands alone. */
  readonly baseDistance: number;
}

/** What a block is deflated against. */
export interface BlockBase {
  readonly distance: number;
  readonly deflater: BlockDeflater;
}

/**
 *     0  checksum of all that follows
 *     4  length of the body
 *     8  length of the body before it was deflated
 *    12  number of hashes
 *    16  number of entries
 *    20  kind, and 128 for the end of a keyframe
 *    21  format
 *    22  first revision, last revision, up to, first time, last time: six bytes each
 *    52  distance of the block that it was deflated against, six bytes; 0: none
 *    58  hashes, body. Numbers are little-endian; so is every machine that Node runs on but one.
 */
const fixedBytes = 58;
const format = 2;
const endBit = 128;
const kinds = ["changes", "keyframe", "gap"] as const;

export async function encodeBlock(facts: BlockFacts, raw: Uint8Array, base?: BlockBase): Promise<Buffer> {
  const body = await (base ? base.deflater.deflate(raw) : deflateAlone(raw));
  const bytes = Buffer.allocUnsafe(fixedBytes + facts.hashes.length * 4 + body.length);
  writeHead(bytes, facts, { bodyBytes: body.length, baseDistance: base?.distance ?? 0 });
  body.copy(bytes, fixedBytes + facts.hashes.length * 4);
  bytes.writeUInt32LE(crc32(bytes.subarray(4)), 0);
  return bytes;
}

function writeHead(
  bytes: Buffer,
  facts: BlockFacts,
  { bodyBytes, baseDistance }: Pick<BlockPlace, "bodyBytes" | "baseDistance">,
): void {
  bytes.writeUInt32LE(bodyBytes, 4);
  bytes.writeUInt32LE(facts.rawBytes, 8);
  bytes.writeUInt32LE(facts.hashes.length, 12);
  bytes.writeUInt32LE(facts.count, 16);
  bytes[20] = kinds.indexOf(facts.kind) | (facts.isEnd ? endBit : 0);
  bytes[21] = format;
  const numbers = [facts.firstRevision, facts.lastRevision, facts.upTo, facts.firstTime, facts.lastTime, baseDistance];
  for (const [at, number] of numbers.entries()) bytes.writeUIntLE(number, 22 + at * 6, 6);
  bytes.set(new Uint8Array(facts.hashes.buffer, facts.hashes.byteOffset, facts.hashes.byteLength), fixedBytes);
}

/** The head of a block that was written, for an index. */
export function headOf(place: BlockPlace): Buffer {
  const bytes = Buffer.alloc(place.headBytes);
  writeHead(bytes, place, place);
  return bytes;
}

/** The head of the block at an offset of a segment; undefined where there is no whole head. `bytes` begin there. */
export function readHead(bytes: Buffer, offset: number): BlockPlace | undefined {
  if (bytes.length < fixedBytes) return undefined;
  const count = bytes.readUInt32LE(12);
  const kind = kinds[bytes[20]! & ~endBit];
  const headBytes = fixedBytes + count * 4;
  if (kind === undefined || bytes[21] !== format || bytes.length < headBytes) return undefined;
  const hashes = new Uint32Array(count);
  new Uint8Array(hashes.buffer).set(bytes.subarray(fixedBytes, headBytes));
  const number = (at: number): number => bytes.readUIntLE(22 + at * 6, 6);
  return {
    kind,
    isEnd: (bytes[20]! & endBit) !== 0,
    count: bytes.readUInt32LE(16),
    rawBytes: bytes.readUInt32LE(8),
    firstRevision: number(0),
    lastRevision: number(1),
    upTo: number(2),
    firstTime: number(3),
    lastTime: number(4),
    hashes,
    offset,
    headBytes,
    bodyBytes: bytes.readUInt32LE(4),
    baseDistance: number(5),
  };
}

/** Whether a block is as it was written. `bytes` are the whole of it. */
export const isWhole = (bytes: Buffer): boolean => crc32(bytes.subarray(4)) === bytes.readUInt32LE(0);

/** The disk has other bytes than were written. */
export class DamagedBlock extends Error {}

/** A block's entries, as bytes. `base`: those of the block that it was deflated against. @throws DamagedBlock */
export function inflateBlock(place: BlockPlace, bytes: Buffer, base?: Buffer): Buffer {
  if (bytes.length !== place.headBytes + place.bodyBytes || !isWhole(bytes))
    throw new DamagedBlock(`the chronicle's block at ${place.offset} is not as it was written`);
  // In one piece: a third of the time that pieces of 16 KiB take (measured). Room for one byte more shows zlib that it is at the end.
  const room = Math.max(place.rawBytes + 1, 64);
  return inflateRawSync(bytes.subarray(place.headBytes), {
    chunkSize: room,
    maxOutputLength: room,
    ...(base && { dictionary: dictionaryOf(base) }),
  });
}
