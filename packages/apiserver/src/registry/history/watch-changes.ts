import type { Chronicle } from "@coxswain/storage/chronicle";
import { createDelivery } from "../../cache/cache-event.js";
import type { Watcher, WatchSink } from "../../cache/watcher.js";
import type { History } from "../contract/history.js";
import type { Change } from "./change.js";
import { entryOf } from "./change-entry.js";
import { type ReadOptions, readChanges } from "./read-changes.js";

/** Revisions that a watch reads at a time: one that begins far back must not hold them all. */
const revisionsAtOnce = 500;
const wholeObjectsAtOnce = 16;

/** Not all changes after a revision are there. */
export function isLost(chronicle: Chronicle, after: number): boolean {
  const { oldest, gaps } = chronicle.reach();
  return after < (oldest?.revision ?? 0) || gaps.some((gap) => gap.to > after);
}

/** Reads what was recorded since the last time, whenever something was. */
export function watchChanges(
  history: History,
  read: Omit<ReadOptions, "signal"> & { readonly after: number },
  sink: WatchSink,
): Watcher {
  const ending = new AbortController();
  const { signal } = ending;
  const portion = read.include === "" ? revisionsAtOnce : wholeObjectsAtOnce;
  let { after } = read;
  let isReading = false;
  let isMore = false;
  async function deliver(): Promise<void> {
    isReading = true;
    const chronicle = await history.chronicle();
    while (isMore) {
      isMore = false;
      const { newest } = chronicle.reach();
      while (after < newest && !signal.aborted) {
        // What comes next is missing: the client learns it when it watches again from where it is.
        if (isLost(chronicle, after)) return stop("closed");
        const to = Math.min(newest, after + portion);
        const found: Change[] = [];
        for await (const change of readChanges(chronicle, { ...read, after, to, signal })) found.push(change);
        after = to;
        const events = found
          .reverse()
          .map((change) =>
            createDelivery({ type: "ADDED", entry: entryOf(change), previous: undefined, revision: change.revision }),
          );
        if (events.length > 0) await sink.deliver(events);
      }
    }
    isReading = false;
  }
  const stop = (reason: "stopped" | "closed"): void => {
    if (signal.aborted) return;
    ending.abort();
    unsubscribe();
    sink.end(reason);
  };
  const wake = (): void => {
    isMore = !signal.aborted;
    if (!isReading && isMore) deliver().catch(() => stop("closed")); // the client lists and watches again
  };
  const unsubscribe = history.onRecorded(wake);
  wake();
  return {
    stop: () => stop("stopped"),
    sendBookmark() {
      if (!signal.aborted && !isReading) sink.bookmark(after, false);
    },
  };
}
