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

/**
 * What becomes of objects whose value cannot be read.
 * - `refuse`: their last readable state counts, as it does to upstream's informers; who needs one that never was readable is refused with
 *   an error. For what restricts: admission.
 * - `leave out`: they do not count, whatever they were. For what grants: authorization and authentication.
 * - `last known`: their last readable state counts; those that never were readable do not. For what is served and kept up to date.
 */
export type UnreadablePolicy = "refuse" | "leave out" | "last known";

export const createLister = <T>(cache: WatchCache, unreadable: UnreadablePolicy = "refuse"): Lister<T> =>
  new CacheLister<T>(cache, unreadable);

/** Some are made for one look: they hold nothing but the cache. */
class CacheLister<T> implements Lister<T> {
  readonly #cache: WatchCache;
  readonly #unreadable: UnreadablePolicy;

  constructor(cache: WatchCache, unreadable: UnreadablePolicy) {
    this.#cache = cache;
    this.#unreadable = unreadable;
  }

  get(key: string): T | undefined {
    const entry = this.#unreadable === "refuse" ? this.#cache.get(key) : this.#find(key);
    return entry && (parseEntry(entry) as T);
  }

  list(prefix: string): Iterable<T> {
    const entries = this.#cache.snapshot();
    if (this.#cache.unreadable.size > 0) return this.#listBut(prefix);
    return entries.size === 0 ? [] : parseAll<T>(entries.values({ prefix })); // there are no quotas in most clusters, and every write asks
  }

  state(): object {
    return this.#cache.state();
  }

  #find(key: string): CacheEntry | undefined {
    return this.#unreadable === "leave out" && this.#cache.unreadable.has(key) ? undefined : this.#cache.lastKnown(key);
  }

  #listBut(prefix: string): Iterable<T> {
    if (this.#unreadable === "refuse") for (const { key } of this.#cache.unreadable.below(prefix)) this.#cache.get(key);
    const entries = [...this.#cache.snapshot().values({ prefix })];
    return parseAll<T>(entries.filter(({ key }) => this.#find(key) !== undefined));
  }
}
