import type { Clock } from "@coxswain/runtime/clock";

/** Upstream's volumeStatsAggPeriod: usage of a volume may be a minute old. */
const ttlMs = 60_000;

/** Usage by pod. Walking a pod's directories takes long: each is walked once a minute at most, one after the other. */
export interface UsageCache<T> {
  get(podUid: string): Promise<readonly T[]>;
  forget(podUid: string): void;
}

export function createUsageCache<T>(clock: Clock, read: (podUid: string) => Promise<readonly T[]>): UsageCache<T> {
  const kept = new Map<string, { readonly at: number; readonly usage: Promise<readonly T[]> }>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    get(podUid) {
      const known = kept.get(podUid);
      if (known && clock.now() - known.at < ttlMs) return known.usage;
      const usage = last.then(() => read(podUid));
      last = usage.catch(() => {}); // the caller gets the error
      // Only the first caller waits: until the new usage is known, the old one is good enough.
      kept.set(podUid, { at: clock.now(), usage: known?.usage ?? usage });
      const update = (): void => void (kept.has(podUid) && kept.set(podUid, { at: clock.now(), usage }));
      usage.then(update, () => kept.delete(podUid));
      return known?.usage ?? usage;
    },
    forget: (podUid) => void kept.delete(podUid),
  };
}
