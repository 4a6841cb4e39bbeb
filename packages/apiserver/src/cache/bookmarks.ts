import type { Clock, Timer } from "@coxswain/runtime/clock";
import type { CacheFeed } from "./cache-feed.js";

const everyMs = 60_000;

/** Once a minute old events go, and watchers that asked for it get a bookmark with the cache's revision, so that they need not list again after a pause. */
export function startBookmarks(feed: CacheFeed, clock: Clock): { stop(): void } {
  let timer: Timer;
  const tick = (): void => {
    for (const cache of feed.caches()) {
      cache.dropOldEvents();
      if (cache.watcherCount > 0) cache.bookmark();
    }
    timer = clock.setTimer(everyMs, tick, "upkeep");
  };
  timer = clock.setTimer(everyMs, tick, "upkeep");
  return { stop: () => timer.cancel() };
}
