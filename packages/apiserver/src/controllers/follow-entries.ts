import type { AnyKind } from "@coxswain/kinds";
import type { CacheEntry } from "../cache/cache-entry.js";
import type { EventType } from "../cache/cache-event.js";
import type { CacheFeed } from "../cache/cache-feed.js";
import { everything } from "../cache/selection.js";

/** Follows the objects of a kind. */
export interface EntryFollower {
  /** Events are delivered once per iteration of the event loop; this delivers those that wait. */
  catchUp(): void;
  stop(): void;
}

export interface ObjectName {
  /** "" for kinds without namespaces. */
  readonly namespace: string;
  readonly name: string;
}

export interface FollowedKind {
  readonly kind: AnyKind;
  /** @default all objects of the kind */
  readonly only?: ObjectName;
  /** What is there at the start is left out. @default it is not */
  readonly changesOnly?: boolean;
}

/** Calls back for every object of a kind that is there now, and for each that is written or deleted. */
export function followEntries(
  feed: Pick<CacheFeed, "cacheOf">,
  { kind, only, changesOnly = false }: FollowedKind,
  onEntry: (entry: CacheEntry, change: EventType) => void,
): EntryFollower {
  const cache = feed.cacheOf(kind);
  const watcher = cache.watch(
    only ? { ...everything, ...only, id: `${only.namespace}/${only.name}` } : everything,
    changesOnly ? { after: cache.revision } : { now: true, mark: false },
    {
      deliver(deliveries) {
        for (const { entry, type } of deliveries) onEntry(entry, type);
        return undefined;
      },
      bookmark: () => {},
      end: () => {},
    },
  );
  return { catchUp: () => cache.flush(), stop: () => watcher?.stop() };
}
