import { serviceUnavailable } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";
import type { Runtime } from "@coxswain/runtime";
import { hasStoreReason, type KeyEvent, type KeyRecord, type KeyValueStore } from "@coxswain/storage";
import { createEntryReader, type EntryReader } from "./entry-reader.js";
import { findByPrefix } from "./find-by-prefix.js";
import { FlushSoon } from "./flush-soon.js";
import { registryPrefix } from "./registry-prefix.js";
import { createRevisionWaiters } from "./revision-waiters.js";
import type { UnreadableObject } from "./unreadable-objects.js";
import { UnreadableReports } from "./unreadable-reports.js";
import { WatchCache, type WatchCacheSnapshot } from "./watch-cache.js";

/** How many of the store's past events a starting server replays, so that earlier watches can resume. */
const replayed = 10_000;

/**
 * One watch on the whole store fills the watch caches of all resources. Definitions with one storage prefix share a cache.
 * A value that cannot be read concerns its own cache alone; see `WatchCache`.
 */
export interface CacheFeed {
  /** Throws 503 where the kind is not open: it was removed while the request was under way. */
  cacheOf(kind: AnyKind): WatchCache;
  /** Undefined: the kind is not open. */
  findCache(kind: AnyKind): WatchCache | undefined;
  readerOf(kind: AnyKind): EntryReader;
  caches(): Iterable<WatchCache>;
  /** Fills a cache for the kind's objects as they are in the store now. A cache that is open for the prefix serves until then; its watches end. */
  open(kind: AnyKind): Promise<void>;
  /** Ends the watches of the kind and drops its cache. */
  close(kind: AnyKind): void;
  /** Everything up to here is in the caches. */
  revision(): number;
  /** What all caches hold now, for a feed over a store that is forked in the same iteration of the event loop. */
  fork(): FeedSnapshot;
  /** Resolves once the caches hold everything up to `revision`. */
  reach(revision: number, signal: AbortSignal): Promise<void>;
  /** Resolves when the store's watch has ended; rejects when it failed. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** What the caches of a feed held at one moment. It shares all of it, so it costs next to nothing. */
export interface FeedSnapshot {
  readonly revision: number;
  /** By storage prefix. */
  readonly caches: ReadonlyMap<string, WatchCacheSnapshot>;
}

export interface CacheFeedOptions {
  readonly store: KeyValueStore;
  readonly kinds: readonly AnyKind[];
  /** Its `activity` counts events until watchers have them; its `ioClock` paces attempts to read again what cannot be read. */
  readonly runtime: Runtime;
  /** Of a feed whose store `store` is a fork of. @default the caches are filled from the store */
  readonly initial?: FeedSnapshot | undefined;
  /** Called when the past could not be read and the feed begins at the present instead. */
  readonly onLostPast?: (reason: unknown) => void;
  /** Called for each value that turns out not to be readable. */
  readonly onUnreadable?: (kind: AnyKind, object: UnreadableObject) => void;
  /** Called when all objects of a kind can be read again. */
  readonly onReadable?: (kind: AnyKind) => void;
}

/**
 * Begins a little in the past, so that earlier watches can resume; or now, where the past can no longer be read (it was
 * compacted).
 */
export async function startCacheFeed(options: CacheFeedOptions): Promise<CacheFeed> {
  const { revision, compactedRevision } = await options.store.status();
  const { initial } = options;
  if (initial && initial.revision >= compactedRevision)
    return startFrom(options, { from: initial.revision, upTo: revision, initial });
  const past = Math.max(compactedRevision, revision - replayed, 0);
  if (past < revision) {
    try {
      return await startFrom(options, { from: past, upTo: revision });
    } catch (reason) {
      options.onLostPast?.(reason); // what is wrong with the present as well is thrown below
    }
  }
  return startFrom(options, { from: revision, upTo: revision });
}

interface Open {
  readonly cache: WatchCache;
  readonly reader: EntryReader;
}

/** A cache that is being filled; the events that arrive meanwhile. */
interface Opening {
  readonly prefix: string;
  readonly events: KeyEvent[];
}

/** The caches, and the events that fill them. */
class OpenCaches {
  readonly waiters: ReturnType<typeof createRevisionWaiters>;
  readonly reports: UnreadableReports;
  /** By storage prefix. */
  readonly open = new Map<string, Open>();
  readonly #options: CacheFeedOptions;
  readonly #openings = new Set<Opening>();
  readonly #flushing: FlushSoon;

  constructor(options: CacheFeedOptions, from: number) {
    const { store, runtime, onUnreadable, onReadable } = options;
    this.#options = options;
    this.waiters = createRevisionWaiters(from);
    this.#flushing = new FlushSoon(runtime.activity);
    const caches = (): Iterable<WatchCache> => this.caches();
    this.reports = new UnreadableReports({ store, caches, ioClock: runtime.ioClock, onUnreadable, onReadable });
  }

  *caches(): Generator<WatchCache> {
    for (const { cache } of this.open.values()) yield cache;
  }

  openOf(kind: AnyKind): Open {
    return this.open.get(kind.storagePrefix) ?? notOpen(kind);
  }

  /** Fills the caches of all kinds, from a feed that was forked where it has them. */
  async fillAll(from: number, initial: FeedSnapshot | undefined): Promise<void> {
    for (const kind of this.#options.kinds) {
      const shared = initial?.caches.get(kind.storagePrefix);
      const content = shared?.kind === kind ? shared : await this.#recordsOf(kind, from);
      this.open.set(kind.storagePrefix, this.#createCache(kind, from, content));
    }
  }

  async add(kind: AnyKind): Promise<void> {
    const opening: Opening = { prefix: prefixOf(kind), events: [] };
    this.#openings.add(opening);
    try {
      const filled = await this.#fill(kind, opening);
      this.close(kind);
      this.open.set(kind.storagePrefix, filled);
    } finally {
      this.#openings.delete(opening);
    }
  }

  close(kind: AnyKind): void {
    const closed = this.open.get(kind.storagePrefix);
    this.open.delete(kind.storagePrefix);
    closed?.cache.close();
  }

  receive(events: readonly KeyEvent[], progress: number): void {
    for (const event of events) {
      const cache = findByPrefix(this.open, event.key)?.cache;
      if (cache) {
        cache.apply(event);
        this.#flushing.add(cache);
      }
      for (const opening of this.#openings) if (event.key.startsWith(opening.prefix)) opening.events.push(event);
    }
    for (const { cache } of this.open.values()) cache.advance(progress);
    this.waiters.advance(progress);
    this.#flushing.schedule();
  }

  fork(): FeedSnapshot {
    const caches = new Map(Array.from(this.open, ([prefix, { cache }]) => [prefix, cache.fork()]));
    return { revision: this.waiters.revision(), caches };
  }

  /** Reads the content at a revision that the feed has reached; events that arrive meanwhile are applied on top. */
  async #fill(kind: AnyKind, { events }: Opening): Promise<Open> {
    for (;;) {
      const revision = this.waiters.revision();
      try {
        const filled = this.#createCache(kind, revision, await this.#recordsOf(kind, revision));
        for (const event of events) if (event.revision > revision) filled.cache.apply(event);
        filled.cache.advance(this.waiters.revision());
        return filled;
      } catch (err) {
        if (!hasStoreReason(err, "expired")) throw err; // else compacted meanwhile: again, where the feed is now
      }
    }
  }

  async #recordsOf(kind: AnyKind, at: number): Promise<readonly KeyRecord[]> {
    return at === 0 ? [] : (await this.#options.store.range({ prefix: prefixOf(kind), at })).records;
  }

  #createCache(kind: AnyKind, revision: number, content: readonly KeyRecord[] | WatchCacheSnapshot): Open {
    const { clock } = this.#options.runtime;
    const reader = createEntryReader(kind);
    return { reader, cache: new WatchCache({ kind, reader, clock, revision, content, ...this.reports.of(kind) }) };
  }
}

async function startFrom(
  options: CacheFeedOptions,
  { from, upTo, initial }: { from: number; upTo: number; initial?: FeedSnapshot },
): Promise<CacheFeed> {
  const caches = new OpenCaches(options, from);
  const stopping = new AbortController();
  await caches.fillAll(from, initial);
  const ended = options.store.watch(
    { prefix: registryPrefix, from },
    (events, progress) => caches.receive(events, progress),
    stopping.signal,
  );
  const feed: CacheFeed = {
    cacheOf: (kind) => caches.openOf(kind).cache,
    findCache: (kind) => caches.open.get(kind.storagePrefix)?.cache,
    readerOf: (kind) => caches.openOf(kind).reader,
    caches: () => caches.caches(),
    open: (kind) => caches.add(kind),
    close: (kind) => caches.close(kind),
    revision: () => caches.waiters.revision(),
    fork: () => caches.fork(),
    ended,
    reach: (wanted, signal) => caches.waiters.reach(wanted, signal),
    async stop() {
      caches.reports.stop();
      for (const cache of caches.caches()) cache.close();
      stopping.abort();
      await ended;
    },
  };
  ended.catch(() => {}); // reported by `ended` itself
  await Promise.race([feed.reach(upTo, stopping.signal), ended.then(() => feed.reach(upTo, stopping.signal))]);
  caches.reports.start();
  return feed;
}

const prefixOf = (kind: AnyKind): string => `${registryPrefix}${kind.storagePrefix}/`;

function notOpen({ group, resource }: AnyKind): never {
  throw serviceUnavailable(`${group === "" ? resource : `${resource}.${group}`} is not being served`);
}
