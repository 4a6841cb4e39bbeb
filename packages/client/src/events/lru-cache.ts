import type { Clock } from "@coxswain/runtime/clock";

/** The entries used last; the oldest goes when there are too many. */
export interface LruCache<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  readonly size: number;
}

export interface LruCacheOptions {
  readonly limit: number;
  /** Entries that were not set for so long are as good as none, and go when the next one is set. @default they stay */
  readonly expiry?: { readonly clock: Clock; readonly afterMs: number };
}

export function createLruCache<K, V>({ limit, expiry }: LruCacheOptions): LruCache<K, V> {
  // A Map is in the order of insertion: who is used is put in anew, the first is the oldest.
  const entries = new Map<K, { readonly value: V; readonly setAt: number }>();
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value) {
      const now = expiry?.clock.monotonic() ?? 0;
      entries.delete(key);
      entries.set(key, { value, setAt: now });
      for (const [oldest, { setAt }] of entries) {
        if (entries.size <= limit && (expiry === undefined || now - setAt <= expiry.afterMs)) return;
        entries.delete(oldest);
      }
    },
    get size() {
      return entries.size;
    },
  };
}
