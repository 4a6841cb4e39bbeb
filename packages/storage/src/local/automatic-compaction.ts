import type { Clock, Timer } from "@coxswain/runtime/clock";
import type { Batch, IndexEntry } from "./journal.js";

export interface CompactionOptions {
  /** History younger than this is kept, in milliseconds. @default 300000, as kube-apiserver does with etcd */
  readonly ageMs?: number;
  /** History beyond this many bytes of values is dropped, however young. @default 268435456 */
  readonly bytes?: number;
}

export interface AutomaticCompaction {
  written(batch: Batch<IndexEntry>): void;
  stop(): void;
}

interface Mark {
  readonly time: number;
  readonly revision: number;
  /** Bytes written up to it, since the beginning. */
  readonly bytes: number;
}

/** How finely time and bytes are marked: a tenth more history than asked for may be kept. */
const marksPerAge = 10;
const marksPerBytes = 16;

/** Compacts by age and by size. Nothing runs while nothing is written and no history is left. */
export function compactAutomatically(
  { ageMs = 300_000, bytes: maxBytes = 256 * 1024 * 1024 }: CompactionOptions,
  clock: Clock,
  store: { state: () => { revision: number; compacted: number }; compact: (revision: number) => Promise<void> },
): AutomaticCompaction {
  let marks: Mark[] = [{ time: clock.monotonic(), revision: store.state().revision, bytes: 0 }];
  let bytes = 0;
  let timer: Timer | undefined;
  let stopped = false;

  function mark(): void {
    const { revision } = store.state();
    const last = marks.at(-1);
    if (last === undefined || revision > last.revision) marks.push({ time: clock.monotonic(), revision, bytes });
  }

  /** Up to the last mark that `fits`; the marks before it are of no use any more. */
  function compactTo(fits: (mark: Mark) => boolean): void {
    const target = marks.findLast(fits);
    if (target === undefined || target.revision <= store.state().compacted) return;
    marks = marks.filter((mark) => mark.revision >= target.revision);
    // A store that is closed or has failed compacts no more; its other callers get the error.
    store.compact(target.revision).catch(() => undefined);
  }

  function tick(): void {
    timer = undefined;
    mark();
    const now = clock.monotonic();
    compactTo((mark) => mark.time <= now - ageMs);
    if (store.state().revision > store.state().compacted) arm();
  }

  function arm(): void {
    if (!stopped) timer ??= clock.setTimer(ageMs / marksPerAge, tick);
  }

  if (store.state().revision > store.state().compacted) arm();
  return {
    written(batch) {
      for (const { value } of batch.changes) bytes += value?.length ?? 0;
      arm();
      if (bytes - (marks.at(-1)?.bytes ?? 0) < maxBytes / marksPerBytes) return;
      mark();
      const oldest = marks[0];
      if (oldest !== undefined && bytes - oldest.bytes > maxBytes)
        compactTo((mark) => bytes - mark.bytes >= maxBytes / 2);
    },
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}
