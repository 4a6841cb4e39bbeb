import type { Clock } from "@coxswain/runtime/clock";
import { findResourceVersion, placesOf, splicedLength, writeSpliced } from "@coxswain/apimachinery/object";
import type { AnyKind } from "@coxswain/kinds";
import type { KeyEvent, KeyRecord } from "@coxswain/storage";
import { SortedMap, type SortedMapEditor } from "@coxswain/storage/sorted-map";
import { collectionPrefix } from "./object-key.js";
import { type CacheEntry, createEntry } from "./cache-entry.js";
import { type CacheCounts, noCounts } from "./cache-counts.js";
import { CacheEvent, type Delivery } from "./cache-event.js";
import { createEventRing, type EventRing, type RingLimits } from "./event-ring.js";
import type { EntryReader } from "./entry-reader.js";
import { InitialEvents } from "./initial-events.js";
import type { Selection } from "./selection.js";
import { releaseParsed } from "./parse-entry.js";
import { createSlabAllocator, type SlabAllocator } from "./slab.js";
import { normalizedRecord } from "./normalized-record.js";
import { QueuedWatcher, type Watcher, type WatcherLimits, type WatchSink } from "./watcher.js";
import { createWatcherIndex, type WatcherIndex } from "./watcher-index.js";

export interface WatchCacheOptions {
  kind: AnyKind;
  reader: EntryReader;
  clock: Clock;
  /** The revision the first content is of. */
  revision: number;
  /** Records of the store, or what another cache of the kind held. */
  content: readonly KeyRecord[] | WatchCacheSnapshot;
  ringLimits?: RingLimits;
  watcherLimits?: WatcherLimits;
}

/** What a cache held at one moment. Entries are shared with it, parsed objects included, so it costs next to nothing. */
export interface WatchCacheSnapshot {
  readonly kind: AnyKind;
  readonly entries: SortedMap<CacheEntry>;
  /** Of all entries, as JSON. */
  readonly bytes: number;
  /** Those after revision `oldest`. */
  readonly events: readonly CacheEvent[];
  readonly oldest: number;
}

/** From which point a watch begins. */
export type WatchFrom =
  /** Events after this revision. */
  | { readonly after: number }
  /** What is there now as ADDED, then what follows. `mark`: a bookmark marks the end of the first part. */
  | { readonly now: true; readonly mark: boolean };

/**
 * All objects of one resource, newest state, and its latest events. Reads are synchronous and never touch the store.
 * `apply` is called with the store's batches before their writers are answered, so a writer always reads its own write here.
 */
export class WatchCache {
  readonly kind: AnyKind;
  readonly counts: CacheCounts = noCounts();
  readonly #reader: EntryReader;
  readonly #clock: Clock;
  readonly #initial = new InitialEvents();
  readonly #slabs: SlabAllocator;
  readonly #ring: EventRing;
  readonly #watchers: WatcherIndex;
  readonly #watcherLimits: WatcherLimits | undefined;
  /** Changed in place until somebody takes a snapshot. */
  readonly #entries: SortedMapEditor<CacheEntry>;
  #revision: number;

  constructor(options: WatchCacheOptions) {
    const { content } = options;
    const shared = "events" in content ? content : undefined;
    this.kind = options.kind;
    this.#reader = options.reader;
    this.#clock = options.clock;
    this.#revision = options.revision;
    this.#slabs = createSlabAllocator(shared?.bytes);
    this.#ring = createEventRing(shared?.oldest ?? options.revision, options.ringLimits);
    this.#watchers = createWatcherIndex(options.kind.indexedField);
    this.#watcherLimits = options.watcherLimits;
    this.#entries = ("events" in content ? content.entries : this.#entriesFrom(content)).edit();
    // The other cache's clock need not be this one's.
    for (const { revision, current, previous } of shared?.events ?? [])
      this.#ring.append(new CacheEvent({ revision, at: this.#now(), current, previous }));
  }

  /** Everything up to here is in. */
  get revision(): number {
    return this.#revision;
  }

  get(key: string): CacheEntry | undefined {
    return this.#entries.get(key);
  }

  /** The whole content as of now; it never changes. */
  snapshot(): SortedMap<CacheEntry> {
    return this.#entries.done();
  }

  /** All that another cache needs to begin as this one is now. */
  fork(): WatchCacheSnapshot {
    const { kind, bytes, oldest } = this;
    return { kind, entries: this.snapshot(), bytes, events: this.#ring.since(oldest) ?? [], oldest };
  }

  /** One event of the store, in order. `flush` must follow in the same iteration of the event loop or the next. */
  apply(event: KeyEvent): void {
    const previous = this.#entries.get(event.key);
    const current = event.record && this.#entryFrom(event.record);
    if (current) this.#entries.set(event.key, current);
    else if (previous) this.#entries.delete(event.key);
    else return; // deleted before we knew of it
    if (previous) {
      this.#slabs.release(previous);
      releaseParsed(previous);
    }
    this.#revision = event.revision;
    this.counts.events += 1;
    const change = new CacheEvent({
      revision: event.revision,
      at: this.#now(),
      current,
      previous,
    });
    this.#ring.append(change);
    this.#watchers.dispatch(change);
  }

  /** Nothing of this resource happened up to `revision`. */
  advance(revision: number): void {
    if (revision > this.#revision) this.#revision = revision;
  }

  /** Hands the events of this iteration of the event loop to the watchers. */
  flush(): void {
    this.#watchers.flush();
  }

  /** Undefined: `from.after` is older than what the cache still knows. */
  watch(selection: Selection, from: WatchFrom, sink: WatchSink): Watcher | undefined {
    const initial = "after" in from ? this.#eventsAfter(selection, from.after) : this.#everything(selection);
    if (!initial) return undefined;
    this.counts.initial += initial.length;
    const watcher: QueuedWatcher = new QueuedWatcher({
      sink,
      initial,
      revision: "after" in from ? Math.max(from.after, this.#revision) : this.#revision,
      markInitialEnd: "now" in from && from.mark,
      reached: () => {
        this.flush();
        return this.#revision;
      },
      onEnd: (reason) => {
        if (reason === "slow") this.counts.cut += 1;
        this.#watchers.remove(selection, watcher);
      },
      ...(this.#watcherLimits ? { limits: this.#watcherLimits } : {}),
    });
    this.#watchers.add(selection, watcher);
    watcher.begin();
    return watcher;
  }

  /** The oldest revision after which a watch can begin. */
  get oldest(): number {
    return this.#ring.floor();
  }

  /** Of all objects, as JSON. */
  get bytes(): number {
    return this.#slabs.liveBytes();
  }

  get watcherCount(): number {
    return this.#watchers.size();
  }

  /** Forgets events that are too old; without it those of a busy minute would stay until the next change of the resource. */
  dropOldEvents(): void {
    this.#ring.drop(this.#clock.monotonic());
  }

  /** Sends a bookmark with the cache's revision to watchers that asked for bookmarks. */
  bookmark(): void {
    this.flush();
    for (const watcher of this.#watchers.all()) watcher.bookmark(this.#revision);
  }

  close(): void {
    this.flush();
    for (const watcher of Array.from(this.#watchers.all())) watcher.close(); // closing removes it from the index
  }

  #everything(selection: Selection): readonly Delivery[] {
    return this.#initial.of(this.snapshot(), selection, collectionPrefix(this.kind, selection.namespace));
  }

  #eventsAfter(selection: Selection, revision: number) {
    const events = this.#ring.since(revision);
    return events && this.#watchers.deliveries(selection, events);
  }

  #now(): number {
    return Math.floor(this.#clock.monotonic());
  }

  #entriesFrom(records: readonly KeyRecord[]): SortedMap<CacheEntry> {
    return SortedMap.fromSorted(
      records.map((record) => record.key),
      records.map((record) => this.#entryFrom(record)),
    );
  }

  #entryFrom(stored: KeyRecord): CacheEntry {
    const record = this.#reader.expects(stored.value) ? stored : normalizedRecord(this.kind, stored);
    const places = placesOf(record.value);
    const { namespace, labels, fields } = this.#reader.read(record, places);
    const entry = createEntry({
      key: record.key,
      revision: record.revision,
      namespace,
      labels,
      fields,
      stale: record.stale ?? false,
    });
    const splice = findResourceVersion(record.value, record.revision, places);
    this.#slabs.place(entry, splicedLength(record.value, splice));
    writeSpliced(record.value, splice, entry.slab.bytes, entry.offset);
    return entry;
  }
}
