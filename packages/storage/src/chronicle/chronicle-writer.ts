import type { Runtime } from "@coxswain/runtime";
import type { Timer } from "@coxswain/runtime/clock";
import type { KeyEvent, KeyRecord, StoreSnapshot } from "../contract/key-value-store.js";
import { type BlockFacts, encodeBlock, readHead } from "./block.js";
import { BlockBuilder, type RawBlock } from "./block-builder.js";
import type { ChronicleChange, ChronicleLimits, Gap, KeepRules } from "./chronicle.js";
import { recordedUpTo, Segment } from "./segment.js";
import type { SegmentFiles } from "./segment-files.js";

/** A segment is closed when its changes are so large; at most an eighth of the whole, so that deleting one is a small step. */
const segmentBytes = 16 * 1024 * 1024;
/** Recorded values that wait to be written, at most: beyond it the disk does not keep up, and a gap is noted. */
const maxWaitingBytes = 32 * 1024 * 1024;
const microsPerChange = 3;
/** How often the file gets how far the chronicle is, while nothing else is written. */
const markMs = 60_000;

export interface WriterOptions {
  readonly files: SegmentFiles;
  readonly segments: readonly Segment[];
  readonly rules: KeepRules;
  readonly limits: ChronicleLimits;
  /** What the store holds now, for keyframes. */
  readonly snapshot: () => Promise<StoreSnapshot>;
  readonly runtime: Pick<Runtime, "clock" | "scheduler" | "log">;
  /** How long what was recorded may wait for its block to become full, in milliseconds. */
  readonly flushMs: number;
  /** What is added to a change, asked when it is recorded. */
  readonly causesOf: ((event: KeyEvent) => unknown) | undefined;
}

/** A segment up to a moment. */
export interface SegmentPart {
  readonly segment: Segment;
  /** How many there were. */
  readonly blocks: number;
}

interface Recorded {
  readonly event: KeyEvent;
  /** Which change of its revision. */
  readonly sub: number;
  readonly causes: unknown;
  /** When, in milliseconds since 1970. */
  readonly seen: number;
}

/** Takes changes in, and writes them behind the answers: blocks are deflated by other threads and appended in order. */
export class ChronicleWriter {
  readonly #options: WriterOptions;
  readonly #segments: Segment[];
  readonly #builder = new BlockBuilder("changes");
  /** Blocks on their way to the file, oldest first. */
  #written: RawBlock[] = [];
  #recorded: Recorded[] = [];
  #recordedBytes = 0;
  #isDraining = false;
  #writing: Promise<void> = Promise.resolve();
  #keyframe: Promise<void> | undefined;
  #flush: Timer | undefined;
  #upTo: number;
  /** Not yet in a file. */
  #gap: Gap | undefined;
  #isFailing = false;
  #needsKeyframe: boolean;
  #mark: Timer | undefined;
  /** Changes that a crash left in the file ahead of what counts as recorded; they come again from the store's log. */
  readonly #known: Set<string>;
  #closed = false;

  constructor(options: WriterOptions, { upTo, known }: { upTo: number; known: Set<string> }) {
    this.#options = options;
    this.#segments = [...options.segments];
    this.#upTo = upTo;
    this.#known = known;
    this.#needsKeyframe = this.#segments.at(-1)?.facts.keyframe === undefined;
  }

  /** Writes the state down, where there is no segment that has it. */
  begin(): void {
    if (this.#needsKeyframe) this.#enqueue(undefined);
  }

  get upTo(): number {
    return this.#upTo;
  }

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** What is not in a file yet, oldest first. */
  waiting(): RawBlock[] {
    this.#encode(Number.POSITIVE_INFINITY);
    return this.#builder.isEmpty ? [...this.#written] : [...this.#written, this.#builder.view(this.#upTo)];
  }

  /** All there is at this moment, each block once. Who reads on while more is written passes over what comes behind `blocks`. */
  parts(): { readonly inFiles: readonly SegmentPart[]; readonly waiting: readonly RawBlock[] } {
    const waiting = this.waiting();
    return { inFiles: this.#segments.map((segment) => ({ segment, blocks: segment.blocksSoFar })), waiting };
  }

  get pendingGap(): Gap | undefined {
    return this.#gap;
  }

  record(events: readonly KeyEvent[], progress: number): void {
    const { rules, causesOf } = this.#options;
    const seen = this.#options.runtime.clock.now();
    let sub = 0;
    let last = 0;
    for (const event of events) {
      // A batch holds whole revisions.
      sub = event.revision === last ? sub + 1 : 0;
      last = event.revision;
      if (rules.of(event.key) === "nothing") continue;
      if (this.#known.size > 0 && this.#known.delete(entryName(event))) continue;
      this.#recorded.push({ event, sub, causes: causesOf?.(event), seen });
      this.#recordedBytes += event.record?.value.length ?? 0;
    }
    const before = this.#upTo;
    this.#upTo = Math.max(this.#upTo, progress);
    this.#mark ??= this.#options.runtime.clock.setTimer(markMs, this.#writeMark);
    if (this.#waitingBytes() > maxWaitingBytes) {
      const first = Math.min(this.#recorded[0]?.event.revision ?? before + 1, before + 1);
      this.lose({ after: first - 1, to: this.#upTo, why: "more was written than the chronicle could take" });
    }
    if (this.#recorded.length > 0 && !this.#isDraining) void this.#drain();
  }

  /** Changes are missing: what is recorded and not written is dropped, and the state is written down anew. */
  lose(gap: Gap): void {
    this.#recorded = [];
    this.#recordedBytes = 0;
    this.#gap = { ...gap, after: Math.min(gap.after, this.#gap?.after ?? gap.after) };
    this.#upTo = Math.max(this.#upTo, gap.to);
    this.#needsKeyframe = true;
    this.#enqueue(undefined);
  }

  async flush(): Promise<void> {
    this.#encode(Number.POSITIVE_INFINITY);
    this.#takeBlock();
    await this.#keyframe;
    await this.#writing;
  }

  async close(): Promise<void> {
    this.#flush?.cancel();
    await this.flush();
    this.#writeMark();
    await this.#writing;
    this.#mark?.cancel();
    this.#closed = true;
    for (const segment of this.#segments) {
      segment.closeBases();
      await segment.file.close();
    }
  }

  settled(): Promise<void> {
    return this.#writing;
  }

  /** Stops without writing, as a crash would. For tests. */
  abandon(): void {
    this.#flush?.cancel();
    this.#mark?.cancel();
    this.#closed = true;
  }

  #waitingBytes(): number {
    return this.#recordedBytes + this.#written.reduce((sum, { raw }) => sum + raw.length, 0);
  }

  async #drain(): Promise<void> {
    const { scheduler } = this.#options.runtime;
    this.#isDraining = true;
    await scheduler.nextIteration();
    while (this.#recorded.length > 0 && !this.#closed) {
      this.#encode(100);
      const pause = scheduler.yield(100 * microsPerChange);
      if (pause) await pause;
    }
    this.#isDraining = false;
  }

  /** Makes entries of what was recorded. */
  #encode(most: number): void {
    const recorded = this.#recorded.splice(0, Math.min(most, this.#recorded.length));
    for (const one of recorded) {
      const { event } = one;
      this.#recordedBytes -= event.record?.value.length ?? 0;
      const change = changeOf(one, this.#options.rules);
      if (!change) continue;
      while (!this.#builder.add(change)) this.#takeBlock(event.revision - 1);
    }
    if (!this.#builder.isEmpty) this.#flush ??= this.#options.runtime.clock.setTimer(this.#options.flushMs, this.#due);
  }

  readonly #due = (): void => {
    this.#flush = undefined;
    this.#encode(Number.POSITIVE_INFINITY);
    this.#takeBlock();
  };

  /** Where nothing that is kept was written, the file still has how far it is: or the changes in between would count as lost after a restart. */
  readonly #writeMark = (): void => {
    this.#mark?.cancel();
    this.#mark = undefined;
    if (this.#upTo <= recordedUpTo(this.#segments) || !this.#builder.isEmpty) return;
    if (this.#recorded.length > 0 || this.#written.length > 0) return;
    this.#enqueue({ facts: { ...emptyFacts, upTo: this.#upTo }, raw: Buffer.alloc(0), isBase: false });
  };

  /** `upTo`: everything that was recorded up to there is in this block or before it. */
  #takeBlock(upTo = this.#recorded[0] ? this.#recorded[0].event.revision - 1 : this.#upTo): void {
    if (this.#builder.isEmpty) return;
    this.#flush?.cancel();
    this.#flush = undefined;
    const block = this.#builder.take(upTo);
    this.#written.push(block);
    this.#enqueue(block);
  }

  /** After what is under way. The caller gets the error of its work; what comes after it does not. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#writing.then(work);
    this.#writing = done.catch(() => {});
    return done;
  }

  #enqueue(block: RawBlock | undefined): void {
    void this.#inTurn(async () => {
      if (this.#closed) return;
      try {
        await this.#writeGap();
        if (block || this.#needsKeyframe) {
          const segment = await this.#segment();
          if (block) await this.#append(segment, block);
        }
        this.#isFailing = false;
      } catch (error) {
        this.#failed(error, block);
      }
      if (block) this.#written = this.#written.filter((other) => other !== block);
      await this.#forget();
    });
  }

  /** The disk is full, or worse: the store goes on, and what is lost is noted. */
  #failed(error: unknown, block: RawBlock | undefined): void {
    if (!this.#isFailing)
      this.#options.runtime.log.warn("the chronicle cannot be written: history has a gap", { error });
    this.#isFailing = true;
    this.#needsKeyframe = true;
    const last = recordedUpTo(this.#segments);
    // One that could not be written down is still missing.
    const { after = last, to = 0, why = "the disk did not take it" } = this.#gap ?? {};
    const gap = { after: Math.min(last, after), to: Math.max(to, block?.facts.upTo ?? 0), why };
    if (gap.to > gap.after) this.#gap = gap;
  }

  async #writeGap(): Promise<void> {
    const gap = this.#gap;
    if (!gap) return;
    const raw = Buffer.from(JSON.stringify(gap));
    const facts: BlockFacts = { ...emptyFacts, kind: "gap", rawBytes: raw.length, upTo: gap.to };
    await this.#append(await this.#segment(), { facts, raw, isBase: false }, gap);
    // Meanwhile more may have been lost: that is to be written, too.
    if (this.#gap === gap) this.#gap = undefined;
  }

  /** The segment to append to: another one when the last is full, or when the state has to be written down. */
  async #segment(): Promise<Segment> {
    const { files, runtime } = this.#options;
    const last = this.#segments.at(-1);
    if (last && !this.#isFull(last)) return last;
    await last?.seal();
    const number = (last?.number ?? 0) + 1;
    const segment = new Segment(number, await files.create(number), files);
    this.#segments.push(segment);
    this.#needsKeyframe = false;
    this.#keyframe = this.#writeKeyframe(segment)
      .catch((error: unknown) => {
        if (!this.#closed) runtime.log.warn("the chronicle's state could not be written down", { error });
        this.#needsKeyframe = true;
      })
      .finally(() => (this.#keyframe = undefined));
    return segment;
  }

  #isFull({ file, facts }: Segment): boolean {
    if (this.#keyframe) return false;
    if (this.#needsKeyframe) return facts.changes > 0 || facts.keyframe !== undefined || facts.gaps.length > 0;
    const { limits, runtime } = this.#options;
    const { bytes, ageMs = Number.POSITIVE_INFINITY } = limits;
    // A large state is written down less often: its keyframes take at most half of the room.
    const most = Math.max(Math.min(segmentBytes, bytes / 8), facts.keyframeBytes);
    return (
      file.bytes - facts.keyframeBytes >= most ||
      (facts.changes > 0 && runtime.clock.now() - facts.firstTime > ageMs / 8)
    );
  }

  async #writeKeyframe(segment: Segment): Promise<void> {
    const { snapshot, rules, runtime } = this.#options;
    const taken = await snapshot();
    const builder = new BlockBuilder("keyframe");
    const write = (isEnd: boolean): Promise<void> => {
      const block = builder.take(taken.revision, isEnd);
      return this.#inTurn(async () => {
        if (!this.#closed) await this.#append(segment, block);
      });
    };
    try {
      for await (const records of taken.batches()) {
        for (const record of records) {
          if (this.#closed) return;
          if (rules.of(record.key) !== "value" || record.unreadable) continue;
          while (!builder.add(keyframeEntry(record))) await write(false);
        }
        await runtime.scheduler.yield(records.length * microsPerChange);
      }
      await write(true);
    } finally {
      await taken.close();
    }
  }

  async #append(segment: Segment, block: RawBlock, gap?: Gap): Promise<void> {
    const { facts, raw, isBase } = block;
    const offset = segment.file.bytes;
    const base = isBase || facts.count === 0 ? undefined : segment.baseOf(facts.kind);
    const bytes = await encodeBlock(facts, raw, base);
    if (this.#closed) return;
    await segment.file.append(bytes);
    const place = readHead(bytes, offset);
    if (!place) return;
    // At once: readers find each block either here or there.
    segment.add(place, gap);
    this.#written = this.#written.filter((other) => other !== block);
    if (!base && facts.count > 0) segment.setBase(place, raw);
  }

  /** Deletes the oldest segments while there is too much, or while they are too old. */
  async #forget(): Promise<void> {
    const { limits, files, runtime } = this.#options;
    const tooOld = runtime.clock.now() - (limits.ageMs ?? Number.POSITIVE_INFINITY);
    const total = (): number => this.#segments.reduce((sum, { file }) => sum + file.bytes, 0);
    for (;;) {
      const [oldest, ...later] = this.#segments;
      // Of what remains, some states must be readable. A crash may have left a segment without a keyframe.
      if (!oldest || !later.some(({ facts }) => facts.keyframe !== undefined)) return;
      if (total() <= limits.bytes && !(oldest.facts.lastTime < tooOld)) return;
      this.#segments.shift();
      oldest.isRemoved = true;
      try {
        await oldest.file.close();
        await files.remove(oldest.number);
      } catch (error) {
        runtime.log.warn("an old part of the history could not be deleted", { error });
      }
    }
  }
}

const emptyFacts: BlockFacts = {
  kind: "changes",
  isEnd: false,
  count: 0,
  rawBytes: 0,
  firstRevision: 0,
  lastRevision: 0,
  upTo: 0,
  firstTime: 0,
  lastTime: 0,
  hashes: new Uint32Array(0),
};

const keyframeEntry = ({ key, value, revision, createRevision, version }: KeyRecord): ChronicleChange => ({
  key,
  type: "put",
  revision,
  createRevision,
  version,
  value,
});

/** One change of one key among all. */
export const entryName = ({ revision, key }: { readonly revision: number; readonly key: string }): string =>
  `${revision} ${key}`;

/** Undefined: nothing is kept of it. */
function changeOf({ event, sub, causes, seen }: Recorded, rules: KeepRules): ChronicleChange | undefined {
  // An engine that keeps no notes delivers the writes of others without one: they have the time when they were seen here.
  const { key, type, revision, note = { time: seen }, record } = event;
  const keeps = rules.of(key);
  if (keeps === "value" && rules.isNoise(event)) return undefined;
  return {
    key,
    type,
    revision,
    sub,
    createRevision: record?.createRevision ?? 0,
    version: record?.version ?? 0,
    value: keeps === "value" && !record?.unreadable ? record?.value : undefined,
    digest: keeps === "digest" ? rules.digest(event) : undefined,
    note,
    causes: typeof causes === "function" ? (causes as () => unknown)() : causes,
  };
}
