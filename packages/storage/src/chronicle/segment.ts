import { type BlockBase, type BlockPlace, headOf, inflateBlock, isWhole, readHead } from "./block.js";
import { BlockDeflater } from "./block-deflater.js";
import type { Gap } from "./chronicle.js";
import type { SegmentFile, SegmentFiles } from "./segment-files.js";

/** What is always known of a segment. */
export interface SegmentFacts {
  firstRevision: number;
  lastRevision: number;
  upTo: number;
  firstTime: number;
  lastTime: number;
  changes: number;
  /** The revision of its keyframe, once all of that is written. */
  keyframe: number | undefined;
  keyframeBytes: number;
  gaps: Gap[];
}

/** One file of the chronicle: a keyframe and the changes that came while it was the newest. */
export class Segment {
  readonly number: number;
  readonly file: SegmentFile;
  readonly facts: SegmentFacts;
  /** Its file is deleted: what still reads it finds nothing. */
  isRemoved = false;
  readonly #files: SegmentFiles;
  /** Of a sealed segment only what is left of the last time it was read. */
  #blocks: BlockPlace[] | undefined;
  #lastRead: WeakRef<readonly BlockPlace[]> | undefined;
  /** What its next blocks are deflated against, by their kind. */
  readonly #bases = new Map<string, { readonly offset: number; readonly deflater: BlockDeflater }>();

  constructor(number: number, file: SegmentFile, files: SegmentFiles, known?: SegmentFacts) {
    this.number = number;
    this.file = file;
    this.#files = files;
    this.facts = known ?? noFacts();
    if (!known) this.#blocks = [];
  }

  /** Behind the others, where it was written. */
  add(block: BlockPlace, gap?: Gap): void {
    this.#blocks?.push(block);
    const { facts } = this;
    if (gap) facts.gaps.push(gap);
    if (block.kind === "keyframe") {
      facts.keyframeBytes += block.headBytes + block.bodyBytes;
      if (block.isEnd) facts.keyframe = block.upTo;
      return;
    }
    facts.upTo = Math.max(facts.upTo, block.upTo);
    if (block.kind === "gap" || block.count === 0) return;
    facts.firstRevision ||= block.firstRevision;
    facts.lastRevision = block.lastRevision;
    facts.firstTime ||= block.firstTime;
    facts.lastTime = Math.max(facts.lastTime, block.lastTime);
    facts.changes += block.count;
  }

  /** How many blocks there are now; of a sealed segment there will be no more. */
  get blocksSoFar(): number {
    return this.#blocks?.length ?? Number.POSITIVE_INFINITY;
  }

  /** Where its blocks lie, in order; read from its index where the segment is sealed. */
  async blocks(): Promise<readonly BlockPlace[]> {
    const held = this.#blocks ?? this.#lastRead?.deref();
    if (held) return held;
    const bytes = await this.#files.readIndex(this.number);
    const known = bytes && readIndex(bytes);
    const blocks = known?.blocks ?? (await scanSegment(this.file)).blocks.map(({ block }) => block);
    this.#lastRead = new WeakRef(blocks);
    return blocks;
  }

  async read({ offset, headBytes, bodyBytes }: BlockPlace): Promise<Buffer> {
    return this.file.read(offset, headBytes + bodyBytes);
  }

  /** A block's entries, as bytes. `rawOf`: those of its base, which may be at hand. */
  async inflate(
    block: BlockPlace,
    rawOf: (base: BlockPlace) => Promise<Buffer> = (base) => this.inflate(base),
  ): Promise<Buffer> {
    if (block.baseDistance === 0) return inflateBlock(block, await this.read(block));
    const offset = block.offset - block.baseDistance;
    const base = blockAt(await this.blocks(), offset);
    if (!base) throw new Error(`the chronicle has no block at ${offset}, which another was deflated against`);
    const [bytes, raw] = await Promise.all([this.read(block), rawOf(base)]);
    return inflateBlock(block, bytes, raw);
  }

  /** Its changes cannot be read any more. */
  lose({ firstRevision, lastRevision }: BlockPlace): void {
    const lost: Gap = { after: firstRevision - 1, to: lastRevision, why: "the file is damaged" };
    const isKnown = ({ after, to }: Gap): boolean => after === lost.after && to === lost.to;
    if (!this.facts.gaps.some(isKnown)) this.facts.gaps.push(lost);
  }

  /** What the next block of a kind is deflated against; undefined: it stands alone. */
  baseOf(kind: BlockPlace["kind"]): BlockBase | undefined {
    const base = this.#bases.get(kind);
    return base && { distance: this.file.bytes - base.offset, deflater: base.deflater };
  }

  /** The next blocks of its kind are deflated against this one. */
  setBase({ kind, offset }: BlockPlace, raw: Buffer): void {
    this.#bases.get(kind)?.deflater.close();
    this.#bases.set(kind, { offset, deflater: new BlockDeflater(raw) });
  }

  /** Frees what was kept to deflate its next blocks. */
  closeBases(): void {
    for (const { deflater } of this.#bases.values()) deflater.close();
    this.#bases.clear();
  }

  /** Nothing more is added: its index goes to a file of its own. */
  async seal(): Promise<void> {
    if (!this.#blocks) return;
    await this.#files.writeIndex(this.number, indexBytes(this.facts, this.#blocks));
    this.#blocks = undefined;
    this.closeBases();
  }
}

/** Blocks are in the order of their offsets. */
function blockAt(blocks: readonly BlockPlace[], offset: number): BlockPlace | undefined {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (blocks[middle]!.offset < offset) low = middle + 1;
    else high = middle;
  }
  return blocks[low]?.offset === offset ? blocks[low] : undefined;
}

/** The last segment may be new, and have nothing yet. */
export const recordedUpTo = (segments: readonly Segment[]): number =>
  segments.reduce((most, { facts }) => Math.max(most, facts.upTo), 0);

const noFacts = (): SegmentFacts => ({
  firstRevision: 0,
  lastRevision: 0,
  upTo: 0,
  firstTime: 0,
  lastTime: 0,
  changes: 0,
  keyframe: undefined,
  keyframeBytes: 0,
  gaps: [],
});

/** Length of the facts, facts as JSON, then for each block where it begins, in six bytes, and its head. */
function indexBytes(facts: SegmentFacts, blocks: readonly BlockPlace[]): Buffer {
  const text = Buffer.from(JSON.stringify(facts));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  const heads = blocks.flatMap((block) => {
    const offset = Buffer.alloc(6);
    offset.writeUIntLE(block.offset, 0, 6);
    return [offset, headOf(block)];
  });
  return Buffer.concat([length, text, ...heads]);
}

/** Undefined: it is not whole. */
export function readIndex(bytes: Buffer): { facts: SegmentFacts; blocks: BlockPlace[] } | undefined {
  try {
    let at = 4 + bytes.readUInt32LE(0);
    const facts = JSON.parse(bytes.toString("utf8", 4, at)) as SegmentFacts;
    const blocks: BlockPlace[] = [];
    while (at < bytes.length) {
      const block = readHead(bytes.subarray(at + 6), bytes.readUIntLE(at, 6));
      if (!block) return undefined;
      blocks.push(block);
      at += 6 + block.headBytes;
    }
    return { facts, blocks };
  } catch {
    return undefined; // the segment itself is read instead
  }
}

export interface ScannedBlock {
  readonly block: BlockPlace;
  readonly bytes: Buffer;
}

/** Reads a segment from its beginning, up to the first block that is not whole: there a crash ended the last append. */
export async function scanSegment(file: SegmentFile): Promise<{ blocks: ScannedBlock[]; end: number }> {
  const bytes = await file.read(0, file.bytes);
  const blocks: ScannedBlock[] = [];
  let offset = 0;
  for (;;) {
    const block = readHead(bytes.subarray(offset), offset);
    const end = block ? offset + block.headBytes + block.bodyBytes : Number.POSITIVE_INFINITY;
    if (!block || end > bytes.length || !isWhole(bytes.subarray(offset, end))) return { blocks, end: offset };
    blocks.push({ block, bytes: bytes.subarray(offset, end) });
    offset = end;
  }
}
