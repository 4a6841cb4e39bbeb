import type { AnyKind } from "@coxswain/kinds";
import type { CacheEntry } from "../cache/cache-entry.js";
import type { CacheFeed } from "../cache/cache-feed.js";
import { everything } from "../cache/selection.js";

/** Calls back for every object of a kind that is there now, and for each that is written or deleted, before its writer is answered. */
export function followEntries(
  feed: Pick<CacheFeed, "cacheOf">,
  kind: AnyKind,
  onEntry: (entry: CacheEntry) => void,
): { stop(): void } {
  const watcher = feed.cacheOf(kind).watch(
    everything,
    { now: true, mark: false },
    {
      deliver(deliveries) {
        for (const { entry } of deliveries) onEntry(entry);
        return undefined;
      },
      bookmark: () => {},
      end: () => {},
    },
  );
  return { stop: () => watcher?.stop() };
}
