import type { Clock } from "@coxswain/apimachinery/clock";
import type { AnyKind } from "@coxswain/kinds";
import type { KeyEvent, KeyValueStore } from "@coxswain/storage";
import { findByPrefix } from "./find-by-prefix.js";
import { createEntryReader, type EntryReader } from "./entry-reader.js";
import { registryPrefix } from "./registry-prefix.js";
import { WatchCache } from "./watch-cache.js";

/** How many of the store's past events a starting server replays, so that watches of before can go on. */
const replayed = 10_000;

/** One watch on the whole store fills the watch caches of all resources. */
export interface CacheFeed {
  cacheOf(kind: AnyKind): WatchCache;
  readerOf(kind: AnyKind): EntryReader;
  caches(): Iterable<WatchCache>;
  /** Everything up to here is in the caches. */
  revision(): number;
  /** Resolves once the caches hold everything up to `revision`. */
  reach(revision: number, signal: AbortSignal): Promise<void>;
  /** Resolves when the store's watch has ended; rejects when it failed. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Begins a little in the past, so that watches of before can go on; or now, where the past can no longer be read (it was compacted, or the key that encrypted it is gone). */
export async function startCacheFeed(
  store: KeyValueStore,
  kinds: readonly AnyKind[],
  clock: Clock,
): Promise<CacheFeed> {
  const { revision, compactedRevision } = await store.status();
  const past = Math.max(compactedRevision, revision - replayed, 0);
  if (past < revision) {
    try {
      return await startFrom(store, kinds, clock, { from: past, upTo: revision });
    } catch {
      // What is wrong with the present is said by the second try.
    }
  }
  return startFrom(store, kinds, clock, { from: revision, upTo: revision });
}

async function startFrom(
  store: KeyValueStore,
  kinds: readonly AnyKind[],
  clock: Clock,
  { from, upTo }: { from: number; upTo: number },
): Promise<CacheFeed> {
  const readers = new Map(kinds.map((kind) => [kind, createEntryReader(kind)]));
  const byPrefix = new Map<string, WatchCache>();
  for (const kind of kinds) {
    const records =
      from === 0 ? [] : (await store.range({ prefix: `${registryPrefix}${kind.storagePrefix}/`, at: from })).records;
    byPrefix.set(
      kind.storagePrefix,
      new WatchCache({ kind, reader: readers.get(kind) as EntryReader, clock, revision: from, records }),
    );
  }
  const caches = [...byPrefix.values()];
  const waiting: { revision: number; reached: () => void }[] = [];
  const stopping = new AbortController();
  let revision = from;
  /** Those of which watchers have not heard everything yet. Few, and not a Set: one that is emptied again and again keeps dead things alive (see Roster). */
  let changed: WatchCache[] = [];
  let flushing = false;

  function onBatch(events: readonly KeyEvent[], progress: number): void {
    for (const event of events) {
      const cache = findByPrefix(byPrefix, event.key);
      if (!cache) continue;
      cache.apply(event);
      if (!changed.includes(cache)) changed.push(cache);
    }
    revision = progress;
    for (const cache of caches) cache.advance(progress);
    for (let at = waiting.length - 1; at >= 0; at--)
      if ((waiting[at]?.revision ?? 0) <= progress) waiting.splice(at, 1)[0]?.reached();
    if (flushing || changed.length === 0) return;
    flushing = true;
    // Once per turn: what several batches brought leaves in one write per watcher.
    setImmediate(() => {
      flushing = false;
      const ofTurn = changed;
      changed = [];
      for (const cache of ofTurn) cache.flush();
    });
  }

  const ended = store.watch({ prefix: registryPrefix, from }, onBatch, stopping.signal);
  const feed: CacheFeed = {
    cacheOf: (kind) => byPrefix.get(kind.storagePrefix) as WatchCache,
    readerOf: (kind) => readers.get(kind) as EntryReader,
    caches: () => caches,
    revision: () => revision,
    ended,
    reach(wanted, signal) {
      if (revision >= wanted) return Promise.resolve();
      return new Promise((resolve, reject) => {
        waiting.push({ revision: wanted, reached: resolve });
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    },
    async stop() {
      for (const cache of caches) cache.close();
      stopping.abort();
      await ended;
    },
  };
  ended.catch(() => {}); // told to whoever asks
  await Promise.race([feed.reach(upTo, stopping.signal), ended.then(() => feed.reach(upTo, stopping.signal))]);
  return feed;
}
