/** The entries used last; the oldest goes when there are too many. */
export interface LruCache<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  readonly size: number;
}

export interface LruCacheOptions<V> {
  readonly limit: number;
  /** Whether an entry is as good as none: the oldest of those go when the next one is set. @default they stay */
  readonly isOver?: (value: V) => boolean;
}

export function createLruCache<K, V>({ limit, isOver }: LruCacheOptions<V>): LruCache<K, V> {
  // A Map is in the order of insertion: who is used is put in anew, the first is the oldest.
  const entries = new Map<K, V>();
  return {
    get(key) {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      for (const [oldest, old] of entries) {
        if (entries.size <= limit && !isOver?.(old)) return;
        entries.delete(oldest);
      }
    },
    get size() {
      return entries.size;
    },
  };
}
