import type { CacheEntry } from "./cache-entry.js";
import { parseEntry } from "./parse-entry.js";
import type { WatchCache } from "./watch-cache.js";

/** Reads objects straight from the watch cache, parsed once and shared: admission, RBAC and quota look here, not through a client. */
export interface Lister<T> {
  get(key: string): T | undefined;
  /** Those whose key starts with `prefix`, in key order. */
  list(prefix: string): Iterable<T>;
  /** Changes whenever any of the objects does; what was computed from them holds as long as it is the same. */
  state(): object;
}

function* parseAll<T>(entries: Iterable<CacheEntry>): Generator<T> {
  for (const entry of entries) yield parseEntry(entry) as T;
}

export const createLister = <T>(cache: WatchCache): Lister<T> => new CacheLister<T>(cache);

/** Some are made for one look: they hold nothing but the cache. */
class CacheLister<T> implements Lister<T> {
  readonly #cache: WatchCache;

  constructor(cache: WatchCache) {
    this.#cache = cache;
  }

  get(key: string): T | undefined {
    const entry = this.#cache.get(key);
    return entry && (parseEntry(entry) as T);
  }

  list(prefix: string): Iterable<T> {
    const entries = this.#cache.snapshot();
    return entries.size === 0 ? [] : parseAll<T>(entries.values({ prefix })); // there are no quotas in most clusters, and every write asks
  }

  state(): object {
    return this.#cache.snapshot();
  }
}
