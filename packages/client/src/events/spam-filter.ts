import type { Event } from "@coxswain/api/core/v1";
import type { Clock } from "@coxswain/runtime/clock";
import { type EventKey, spamKey } from "./event-keys.js";
import { createLruCache } from "./lru-cache.js";

export interface SpamFilterOptions {
  /** So many events of one source about one object may come at once. @default 25 */
  spamBurst?: number;
  /** So many more each second. @default 1/300: one every five minutes */
  spamPerSecond?: number;
}

/** A token bucket as data: there is one for each object that had an event in the last two hours. */
interface Bucket {
  readonly tokens: number;
  readonly filledAt: number;
}

/** Whether an event is one too many of its source about its object. */
export function createSpamFilter(
  { spamBurst = 25, spamPerSecond = 1 / 300 }: SpamFilterOptions,
  { clock, cacheSize }: { clock: Clock; cacheSize: number },
): (event: Event) => boolean {
  // A bucket that had time to fill up is as a new one.
  const fullAfterMs = (spamBurst / spamPerSecond) * 1000;
  const buckets = createLruCache<EventKey, Bucket>({
    limit: cacheSize,
    isOver: ({ filledAt }) => clock.monotonic() - filledAt > fullAfterMs,
  });
  return (event) => {
    const key = spamKey(event);
    const now = clock.monotonic();
    const { tokens, filledAt } = buckets.get(key) ?? { tokens: spamBurst, filledAt: now };
    const filled = Math.min(spamBurst, tokens + ((now - filledAt) * spamPerSecond) / 1000);
    const isSpam = filled < 1;
    buckets.set(key, { tokens: isSpam ? filled : filled - 1, filledAt: now });
    return isSpam;
  };
}
