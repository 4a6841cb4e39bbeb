import type { Runtime } from "@coxswain/runtime";
import type { KeyEvent, StoreSnapshot } from "../contract/key-value-store.js";
import type { Chronicle, ChronicleLimits, KeepRules } from "./chronicle.js";
import { ChronicleReader } from "./chronicle-reader.js";
import { ChronicleWriter, entryName } from "./chronicle-writer.js";
import { readEntries } from "./entry.js";
import { openSegments } from "./open-segments.js";
import { recordedUpTo, type Segment } from "./segment.js";
import type { SegmentFiles } from "./segment-files.js";

export interface ChronicleOptions {
  readonly files: SegmentFiles;
  readonly rules: KeepRules;
  readonly limits: ChronicleLimits;
  /** What the store holds, from time to time: so that a state is rebuilt from the changes since then, not from all. */
  readonly snapshot: () => Promise<StoreSnapshot>;
  readonly runtime: Pick<Runtime, "clock" | "scheduler" | "log">;
  /** Where the store is and how far back its own log reaches: what happened while nobody recorded is taken from there. */
  readonly store: { readonly revision: number; readonly compacted: number };
  /** How long a crash may make what was recorded forgotten, in milliseconds. @default 1000 */
  readonly flushMs?: number;
  /**
   * What is kept with a change beside its note; called when it is recorded, before its writer is answered. May return a
   * function, which is called after that. @default nothing
   */
  readonly causesOf?: (event: KeyEvent) => unknown;
}

/** For those who test it: a chronicle whose process dies. */
export interface OpenChronicle extends Chronicle {
  /** Writes nothing more, as after a crash. */
  abandon(): void;
  /** Resolves when the blocks that are full or due are in the files. */
  settled(): Promise<void>;
}

/**
 * Opens what is there, and goes on behind it. `reach().newest` is where to watch the store from: what the store's log no longer has is
 * reported as a gap. Segments of another store, whose revisions are ahead of this one's, are deleted.
 */
export async function openChronicle(options: ChronicleOptions): Promise<OpenChronicle> {
  const { files, runtime, store } = options;
  const { log, scheduler } = runtime;
  let segments = await openSegments(files);
  const reached = recordedUpTo(segments);
  if (reached > store.revision) {
    log.warn("the history that is there is of another store: it begins anew", { reached, revision: store.revision });
    for (const { number, file } of segments) {
      await file.close();
      await files.remove(number);
    }
    segments = [];
  }
  const upTo = segments.length > 0 ? reached : store.compacted;
  const writer = new ChronicleWriter(
    { ...options, flushMs: options.flushMs ?? 1000, causesOf: options.causesOf, segments },
    { upTo, known: await aheadOf(segments, upTo) },
  );
  if (upTo < store.compacted)
    writer.lose({
      after: upTo,
      to: store.compacted,
      why: "the server was off for longer than the store keeps its log",
    });
  writer.begin();
  const reader = new ChronicleReader(writer, scheduler);
  return {
    record: (events, progress) => writer.record(events, progress),
    lose: (to, why) => writer.lose({ after: writer.upTo, to, why }),
    changes: (query, signal) => reader.changes(query, signal),
    lastChange: (key, revision) => reader.lastChange(key, revision),
    stateAt: (prefix, revision, signal) => reader.stateAt(prefix, revision, signal),
    revisionAt: (time) => reader.revisionAt(time),
    async momentOf(revision) {
      const at = await reader.lastUpTo(revision);
      const previous = at && (await reader.lastUpTo(at.revision - 1));
      const next = await reader.firstAfter(revision);
      return { ...(at && { at }), ...(previous && { previous }), ...(next && { next }) };
    },
    reach: () => reachOf(writer),
    flush: () => writer.flush(),
    close: () => writer.close(),
    abandon: () => writer.abandon(),
    settled: () => writer.settled(),
  };
}

function reachOf(writer: ChronicleWriter) {
  const { segments, pendingGap, upTo } = writer;
  const gaps = [...segments.flatMap(({ facts }) => facts.gaps), ...(pendingGap ? [pendingGap] : [])];
  const first = segments.find(({ facts }) => facts.keyframe !== undefined)?.facts;
  return {
    oldest: first && { revision: first.keyframe!, time: first.firstTime },
    newest: upTo,
    gaps,
    bytes: segments.reduce((sum, { file }) => sum + file.bytes, 0),
    changes: segments.reduce((sum, { facts }) => sum + facts.changes, 0),
  };
}

/** A crash between two blocks may have divided a revision: its first changes are there, though it does not count as recorded. */
async function aheadOf(segments: readonly Segment[], upTo: number): Promise<Set<string>> {
  const known = new Set<string>();
  for (const segment of segments) {
    if (segment.facts.lastRevision <= upTo) continue;
    for (const block of await segment.blocks()) {
      if (block.kind !== "changes" || block.lastRevision <= upTo) continue;
      for (const entry of readEntries(await segment.inflate(block)))
        if (entry.revision > upTo) known.add(entryName(entry));
    }
  }
  return known;
}
