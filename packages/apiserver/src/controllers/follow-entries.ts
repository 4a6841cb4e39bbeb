import type { AnyKind } from "@coxswain/kinds";
import type { CacheEntry } from "../cache/cache-entry.js";
import type { CacheFeed } from "../cache/cache-feed.js";
import { everything } from "../cache/selection.js";

/** Follows the objects of a kind. */
export interface EntryFollower {
  /** Events are delivered once per iteration of the event loop; this delivers those that wait. */
  catchUp(): void;
  stop(): void;
}

/** Calls back for every object of a kind that is there now, and for each that is written or deleted. */
export function followEntries(
  feed: Pick<CacheFeed, "cacheOf">,
  kind: AnyKind,
  onEntry: (entry: CacheEntry) => void,
): EntryFollower {
  const cache = feed.cacheOf(kind);
  const watcher = cache.watch(
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
  return { catchUp: () => cache.flush(), stop: () => watcher?.stop() };
}
