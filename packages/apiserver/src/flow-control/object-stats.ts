import type { CacheFeed } from "../cache/cache-feed.js";
import type { WatchCache } from "../cache/watch-cache.js";
import type { ObjectStats, WorkFacts } from "./estimate-work.js";

/** Sample size for the average object size of a kind. */
const sampled = 32;

/** How many objects there are of a resource, and how large they are on average. Looked at again when their number has changed by a tenth. */
export function createObjectStats(feed: Pick<CacheFeed, "caches">): WorkFacts["statsOf"] {
  const caches = new Map<string, { readonly cache: WatchCache; sampledAt: number; averageBytes: number }>();
  for (const cache of feed.caches())
    caches.set(`${cache.kind.group}/${cache.kind.resource}`, { cache, sampledAt: -1, averageBytes: 0 });
  return (group, resource): ObjectStats | undefined => {
    const known = caches.get(`${group}/${resource}`);
    if (!known) return undefined;
    const count = known.cache.snapshot().size;
    if (known.sampledAt < 0 || Math.abs(count - known.sampledAt) * 10 > known.sampledAt) {
      known.sampledAt = count;
      known.averageBytes = averageOf(known.cache);
    }
    return { count, averageBytes: known.averageBytes };
  };
}

function averageOf(cache: WatchCache): number {
  let seen = 0;
  let bytes = 0;
  for (const { length } of cache.snapshot().values({})) {
    bytes += length;
    seen += 1;
    if (seen === sampled) break;
  }
  return seen === 0 ? 0 : Math.trunc(bytes / seen);
}
