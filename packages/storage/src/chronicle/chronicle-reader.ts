import type { Scheduler } from "@coxswain/runtime/scheduler";
import type { KeyRecord } from "../contract/key-value-store.js";
import { StoreError } from "../contract/store-error.js";
import { compareKeys } from "../sorted-map/key-order.js";
import { type BlockFacts, type BlockPlace, DamagedBlock } from "./block.js";
import type { RawBlock } from "./block-builder.js";
import { BlockCache } from "./block-cache.js";
import type { ChangeQuery, ChronicleChange, Gap, Moment } from "./chronicle.js";
import type { ChronicleWriter } from "./chronicle-writer.js";
import { type Entry, readEntries, readEntriesOf } from "./entry.js";
import { hasHash, hashOf } from "./key-hashes.js";
import type { Segment } from "./segment.js";

/** A block that can be read, wherever it is. */
interface Readable {
  readonly facts: BlockFacts;
  /** Those of one key, or all. */
  entries(key?: Buffer): Promise<readonly Entry[]> | readonly Entry[];
}

const microsPerByte = 0.004;

/** Reads what a writer has written and what it has not written yet. */
export class ChronicleReader {
  readonly #writer: ChronicleWriter;
  readonly #scheduler: Scheduler;
  readonly #cache = new BlockCache();

  constructor(writer: ChronicleWriter, scheduler: Scheduler) {
    this.#writer = writer;
    this.#scheduler = scheduler;
  }

  async *changes(query: ChangeQuery, signal?: AbortSignal): AsyncGenerator<readonly ChronicleChange[], void> {
    const { to = Number.POSITIVE_INFINITY, after = 0 } = query;
    const selects = selection(query);
    const only = onlyKey(query);
    for await (const block of readAhead(this.#newestFirst({ to, after }, selects.block), only)) {
      signal?.throwIfAborted();
      const found = (await block.entries(only)).filter(
        (entry) => entry.revision <= to && entry.revision > after && selects.key(entry.key),
      );
      if (found.length > 0) yield found.toReversed();
      const pause = this.#scheduler.yield(block.facts.rawBytes * microsPerByte);
      if (pause) await pause;
    }
  }

  async lastChange(key: string, upTo: number): Promise<ChronicleChange | undefined> {
    const hash = hashOf(key);
    const only = Buffer.from(key);
    const newest = (entries: readonly Entry[]): Entry | undefined =>
      entries.findLast((entry) => entry.revision <= upTo);
    for (const block of this.#writer.waiting().toReversed()) {
      const found = hasHash(block.facts.hashes, hash) ? newest(readEntriesOf(block.raw, only)) : undefined;
      if (found) return found;
    }
    for (const segment of this.#writer.segments.toReversed()) {
      const { keyframe, firstRevision } = segment.facts;
      if (firstRevision > upTo && (keyframe === undefined || keyframe > upTo)) continue;
      const blocks = (await this.#blocksOf(segment)).filter(
        (block) => block.count > 0 && block.firstRevision <= upTo && hasHash(block.hashes, hash),
      );
      const read = async (kind: string): Promise<Entry | undefined> => {
        for (const block of blocks.toReversed()) {
          const found = block.kind === kind ? newest(await this.#readable(segment, block).entries(only)) : undefined;
          if (found) return found;
        }
        return undefined;
      };
      const found = (await read("changes")) ?? (keyframe === undefined ? undefined : await read("keyframe"));
      // A keyframe has every key of its moment: what is neither in it nor changed since was not there.
      if (found || (keyframe !== undefined && keyframe <= upTo)) return found;
    }
    return undefined;
  }

  async stateAt(prefix: string, revision: number, signal?: AbortSignal): Promise<readonly KeyRecord[]> {
    for (;;) {
      const base = this.#baseOf(revision);
      const state = await this.#stateFrom(base, { prefix, revision }, signal);
      // What was deleted meanwhile, or is damaged, is found to be so by now.
      if (!base.isRemoved && this.#baseOf(revision) === base) return state;
    }
  }

  async #stateFrom(
    base: Segment,
    { prefix, revision }: { readonly prefix: string; readonly revision: number },
    signal: AbortSignal | undefined,
  ): Promise<readonly KeyRecord[]> {
    const hash = hashOf(prefix);
    const state = new Map<string, Entry>();
    const begin = base.facts.keyframe!;
    const pass = async (bytes: number): Promise<void> => {
      signal?.throwIfAborted();
      await this.#scheduler.yield(bytes * microsPerByte);
    };
    for (const block of await this.#blocksOf(base)) {
      if (block.kind !== "keyframe" || block.upTo !== begin || !hasHash(block.hashes, hash)) continue;
      for (const entry of await this.#readable(base, block).entries())
        if (entry.key.startsWith(prefix)) state.set(entry.key, entry);
      await pass(block.rawBytes);
    }
    const changes = this.#changesIn({ to: revision, after: begin });
    for await (const block of changes) {
      if (!hasHash(block.facts.hashes, hash)) continue;
      for (const entry of await block.entries()) {
        if (entry.revision <= begin || entry.revision > revision || !entry.key.startsWith(prefix)) continue;
        if (entry.type === "delete") state.delete(entry.key);
        else state.set(entry.key, entry);
      }
      await pass(block.facts.rawBytes);
    }
    return [...state.values()].sort((a, b) => compareKeys(a.key, b.key)).map(recordOf);
  }

  async revisionAt(time: number): Promise<Moment | undefined> {
    for await (const block of this.#newestFirst({ to: Number.POSITIVE_INFINITY, after: 0 })) {
      const { firstTime, count } = block.facts;
      if (count === 0 || firstTime === 0 || firstTime > time) continue;
      const found = (await block.entries()).findLast(({ note }) => note !== undefined && note.time <= time);
      if (found) return momentOf(found);
    }
    return undefined;
  }

  /** The first change after a revision that has a time. */
  async firstAfter(revision: number): Promise<Moment | undefined> {
    for await (const block of this.#changesIn({ to: Number.POSITIVE_INFINITY, after: revision })) {
      const found = (await block.entries()).find((entry) => entry.revision > revision && entry.note !== undefined);
      if (found) return momentOf(found);
    }
    return undefined;
  }

  /** The last change up to a revision that has a time. */
  async lastUpTo(revision: number): Promise<Moment | undefined> {
    for await (const found of this.changes({ to: revision })) {
      const timed = found.find(({ note }) => note !== undefined);
      if (timed) return momentOf(timed);
    }
    return undefined;
  }

  /** The newest segment whose state leads to a revision without a gap. */
  #baseOf(revision: number): Segment {
    const { segments, pendingGap, upTo } = this.#writer;
    if (revision > upTo)
      throw new StoreError("future", `revision ${revision} is not recorded yet: history is at ${upTo}`);
    const base = segments.findLast(({ facts }) => facts.keyframe !== undefined && facts.keyframe <= revision);
    const gaps = [...segments.flatMap(({ facts }) => facts.gaps), ...(pendingGap ? [pendingGap] : [])];
    const missing = base && gaps.find((gap) => isMissing(gap, base.facts.keyframe!, revision));
    if (!base || missing)
      throw new StoreError(
        "expired",
        missing
          ? `the history from revision ${missing.after + 1} to ${missing.to} is missing: ${missing.why}`
          : `revision ${revision} is before the history that is kept`,
      );
    return base;
  }

  /** Blocks of changes with some in a range, newest first. */
  async *#newestFirst(
    range: Range,
    isWanted: (facts: BlockFacts) => boolean = () => true,
  ): AsyncGenerator<Readable, void> {
    const { inFiles, waiting } = this.#writer.parts();
    for (const block of waiting.toReversed())
      if (overlaps(block.facts, range) && isWanted(block.facts)) yield rawReadable(block);
    for (const { segment, blocks } of inFiles.toReversed()) {
      if (!mayOverlap(segment, range)) continue;
      for (const block of (await this.#blocksOf(segment)).slice(0, blocks).toReversed())
        if (block.kind === "changes" && overlaps(block, range) && isWanted(block)) yield this.#readable(segment, block);
    }
  }

  /** The same, oldest first. */
  async *#changesIn(range: Range): AsyncGenerator<Readable, void> {
    const { inFiles, waiting } = this.#writer.parts();
    for (const { segment, blocks } of inFiles) {
      if (!mayOverlap(segment, range)) continue;
      for (const block of (await this.#blocksOf(segment)).slice(0, blocks))
        if (block.kind === "changes" && overlaps(block, range)) yield this.#readable(segment, block);
    }
    for (const block of waiting) if (overlaps(block.facts, range)) yield rawReadable(block);
  }

  #readable(segment: Segment, block: BlockPlace): Readable {
    return {
      facts: block,
      entries: (key) =>
        (key ? this.#cache.entriesOf(segment, block, key) : this.#cache.entries(segment, block)).catch(
          (error: unknown): readonly Entry[] => {
            if (segment.isRemoved) return [];
            if (!(error instanceof DamagedBlock)) throw error;
            if (block.kind === "keyframe") segment.facts.keyframe = undefined;
            else segment.lose(block);
            return [];
          },
        ),
    };
  }

  /** None where the bound has deleted it since the reader began. */
  #blocksOf(segment: Segment): Promise<readonly BlockPlace[]> {
    return segment.blocks().catch((error: unknown): readonly BlockPlace[] => {
      if (segment.isRemoved) return [];
      throw error;
    });
  }
}

interface Range {
  readonly to: number;
  readonly after: number;
}

/** Blocks that are read at the same time, once somebody reads many. */
const mostAhead = 16;

/** The same blocks, of which the next ones are being read already: twice as many each time, since most readers stop early. */
async function* readAhead(
  blocks: AsyncGenerator<Readable, void>,
  only: Buffer | undefined,
): AsyncGenerator<Readable, void> {
  const ahead: Readable[] = [];
  for (let most = 1, isEnd = false; ; most = Math.min(mostAhead, most * 2)) {
    while (!isEnd && ahead.length < most) {
      const next = await blocks.next();
      isEnd = next.done === true;
      if (next.done) break;
      const { facts } = next.value;
      const entries = Promise.resolve(next.value.entries(only));
      entries.catch(() => {}); // the reader of this block gets the error
      ahead.push({ facts, entries: () => entries });
    }
    const first = ahead.shift();
    if (!first) return;
    yield first;
  }
}

const rawReadable = ({ facts, raw }: RawBlock): Readable => ({
  facts,
  entries: (key) => (key ? readEntriesOf(raw, key) : readEntries(raw)),
});

const overlaps = ({ firstRevision, lastRevision, count }: BlockFacts, { to, after }: Range): boolean =>
  count > 0 && firstRevision <= to && lastRevision > after;

const mayOverlap = ({ facts }: Segment, { to, after }: Range): boolean =>
  facts.changes > 0 && facts.firstRevision <= to && facts.lastRevision > after;

const isMissing = (gap: Gap, after: number, to: number): boolean => gap.to > after && gap.after < to;

const momentOf = ({ revision, note }: ChronicleChange): Moment => ({ revision, time: note?.time ?? 0 });

/** The key that alone is asked for. */
const onlyKey = ({ keys, prefixes }: ChangeQuery): Buffer | undefined =>
  keys?.length === 1 && prefixes === undefined ? Buffer.from(keys[0]!) : undefined;

function selection({ keys, prefixes }: ChangeQuery): {
  block(facts: BlockFacts): boolean;
  key(key: string): boolean;
} {
  if (!keys && !prefixes) return { block: () => true, key: () => true };
  const wanted = new Set(keys ?? []);
  const below = prefixes ?? [];
  const hashes = [...wanted, ...below].map(hashOf);
  return {
    block: (facts) => hashes.some((hash) => hasHash(facts.hashes, hash)),
    key: (key) => wanted.has(key) || below.some((prefix) => key.startsWith(prefix)),
  };
}

const recordOf = ({ key, value, revision, createRevision, version }: Entry): KeyRecord => ({
  key,
  value: value ?? new Uint8Array(0),
  revision,
  createRevision,
  version,
});
