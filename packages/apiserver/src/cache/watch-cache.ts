import { findResourceVersion, placesOf, splicedLength, writeSpliced } from "@coxswain/apimachinery/object";
import { internalError } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";
import type { Clock } from "@coxswain/runtime/clock";
import type { KeyEvent, KeyRecord, UnreadableValue } from "@coxswain/storage";
import { SortedMap, type SortedMapEditor } from "@coxswain/storage/sorted-map";
import { type CacheCounts, noCounts } from "./cache-counts.js";
import { type CacheEntry, createEntry } from "./cache-entry.js";
import { CacheEvent, type Delivery } from "./cache-event.js";
import { checkSchema } from "./check-schema.js";
import type { EntryReader } from "./entry-reader.js";
import { createEventRing, type EventRing } from "./event-ring.js";
import { InitialEvents } from "./initial-events.js";
import { normalizedRecord } from "./normalized-record.js";
import { collectionPrefix } from "./object-key.js";
import { releaseParsed } from "./parse-entry.js";
import { unreadableText } from "./read-errors.js";
import type { Selection } from "./selection.js";
import { createSlabAllocator, type SlabAllocator } from "./slab.js";
import { type UnreadableObject, UnreadableObjects } from "./unreadable-objects.js";
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
  watcherLimits?: WatcherLimits;
  /** Called for each value that turns out not to be readable. */
  onUnreadable?: (object: UnreadableObject) => void;
  /** Called when all can be read again. */
  onReadable?: () => void;
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
  readonly unreadable: readonly UnreadableObject[];
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
 *
 * An object whose value cannot be read is `unreadable`. As long as there is one, clients neither list nor watch the resource from here,
 * as upstream's do not while a cacher cannot be filled (`cacher.go`, `startCaching`); their watches end when it appears. The server's
 * own readers go on with the last state of it that was readable, and are notified when it is readable again or gone.
 */
export class WatchCache {
  readonly kind: AnyKind;
  readonly counts: CacheCounts = noCounts();
  readonly #reader: EntryReader;
  readonly #clock: Clock;
  readonly #initial = new InitialEvents();
  readonly #slabs: SlabAllocator;
  #ring: EventRing;
  readonly #watchers: WatcherIndex;
  readonly #watcherLimits: WatcherLimits | undefined;
  /** Changed in place until somebody takes a snapshot. */
  readonly #entries: SortedMapEditor<CacheEntry>;
  readonly unreadable = new UnreadableObjects();
  /** Watchers of clients, which end when the resource can no longer be shown as a whole. */
  readonly #clients = new Set<QueuedWatcher>();
  readonly #onUnreadable: (object: UnreadableObject) => void;
  readonly #onReadable: () => void;
  /** What `state` returned last while something could not be read. */
  #damaged: { readonly entries: SortedMap<CacheEntry> } | undefined;
  #revision: number;

  constructor(options: WatchCacheOptions) {
    const { content } = options;
    const shared = "events" in content ? content : undefined;
    this.kind = options.kind;
    this.#reader = options.reader;
    this.#clock = options.clock;
    this.#revision = options.revision;
    this.#slabs = createSlabAllocator(shared?.bytes);
    this.#onUnreadable = options.onUnreadable ?? (() => {});
    this.#onReadable = options.onReadable ?? (() => {});
    this.#ring = createEventRing(shared?.oldest ?? options.revision);
    this.#watchers = createWatcherIndex(options.kind.indexedField);
    this.#watcherLimits = options.watcherLimits;
    this.#entries = ("events" in content ? content.entries : this.#entriesFrom(content)).edit();
    for (const object of shared?.unreadable ?? []) this.unreadable.add(object, this.#now());
    // The other cache's clock need not be this one's.
    for (const { revision, current, previous } of shared?.events ?? [])
      this.#ring.append(new CacheEvent({ revision, at: this.#now(), current, previous }));
  }

  /** Everything up to here is in. */
  get revision(): number {
    return this.#revision;
  }

  /** The newest state that was readable. @throws StatusError where the object is there and never was */
  get(key: string): CacheEntry | undefined {
    const entry = this.#entries.get(key);
    const unreadable = entry ? undefined : this.unreadable.get(key);
    if (unreadable) throw internalError(unreadableText(unreadable));
    return entry;
  }

  /** The same; undefined also where the object never was readable. */
  lastKnown(key: string): CacheEntry | undefined {
    return this.#entries.get(key);
  }

  /** Whether there is such an object, readable or not. */
  has(key: string): boolean {
    return this.#entries.get(key) !== undefined || this.unreadable.has(key);
  }

  /** Changes whenever an object does, or whether it can be read. */
  state(): object {
    const entries = this.snapshot();
    if (this.unreadable.size === 0) return entries;
    if (this.#damaged?.entries !== entries) this.#damaged = { entries };
    return this.#damaged;
  }

  /** The whole content as of now, in the newest states that were readable; it never changes. */
  snapshot(): SortedMap<CacheEntry> {
    return this.#entries.done();
  }

  /** All that another cache needs to begin as this one is now. */
  fork(): WatchCacheSnapshot {
    const { kind, bytes, oldest } = this;
    const unreadable = [...this.unreadable.all()];
    return { kind, entries: this.snapshot(), bytes, events: this.#ring.since(oldest) ?? [], oldest, unreadable };
  }

  /** One event of the store, in order. `flush` must follow in the same iteration of the event loop or the next. */
  apply(event: KeyEvent): void {
    const current = event.record && this.#readEntry(event.record);
    if (event.record && !current) return this.#lose(event.revision);
    const wasUnreadable = this.unreadable.delete(event.key);
    const previous = this.#entries.get(event.key);
    if (!current && !previous && !wasUnreadable) return; // deleted before we knew of it
    this.#revision = event.revision;
    this.counts.events += 1;
    if (current || previous) this.#replace(event.key, { current, previous, revision: event.revision });
    if (wasUnreadable) this.#recover();
  }

  /**
   * The value of an object that could not be read, read again: its key may be there now. Nothing happens where it still cannot be read,
   * or was written since.
   */
  reread(record: KeyRecord): void {
    const known = this.unreadable.get(record.key);
    if (!known || known.revision !== record.revision) return;
    const current = this.#readEntry(record);
    if (!current) return;
    this.unreadable.delete(record.key);
    // A watcher takes no event of the revision at which it began, and one of the server's own may have begun at the present one.
    const revision = this.#revision + 1;
    this.#replace(record.key, { current, previous: this.#entries.get(record.key), revision });
    this.#recover();
    this.flush();
  }

  #replace(key: string, { current, previous, revision }: Pick<CacheEvent, "current" | "previous" | "revision">): void {
    if (current) this.#entries.set(key, current);
    else this.#entries.delete(key);
    if (previous) {
      this.#slabs.release(previous);
      releaseParsed(previous);
    }
    const change = new CacheEvent({ revision, at: this.#now(), current, previous });
    this.#ring.append(change);
    this.#watchers.dispatch(change);
  }

  /** An object became unreadable: clients that watch would miss what becomes of it. */
  #lose(revision: number): void {
    this.#revision = revision;
    this.counts.events += 1;
    this.#damaged = undefined;
    this.flush();
    for (const watcher of Array.from(this.#clients)) watcher.close();
  }

  /** Where all can be read again, clients begin anew: what was unreadable is not among the events before. */
  #recover(): void {
    this.#damaged = undefined;
    if (this.unreadable.size > 0) return;
    this.#ring = createEventRing(this.#revision);
    this.#onReadable();
  }

  /** Nothing of this resource happened up to `revision`. */
  advance(revision: number): void {
    if (revision > this.#revision) this.#revision = revision;
  }

  /** Hands the events of this iteration of the event loop to the watchers. */
  flush(): void {
    this.#watchers.flush();
  }

  /** As `watch`, for a client: it ends when an object becomes unreadable. The caller has seen that none is. */
  watchForClient(selection: Selection, from: WatchFrom, sink: WatchSink): Watcher | undefined {
    return this.#open(selection, from, sink, this.#clients);
  }

  /** For the server's own readers. Undefined: `from.after` is older than what the cache still knows. */
  watch(selection: Selection, from: WatchFrom, sink: WatchSink): Watcher | undefined {
    return this.#open(selection, from, sink, undefined);
  }

  #open(
    selection: Selection,
    from: WatchFrom,
    sink: WatchSink,
    clients: Set<QueuedWatcher> | undefined,
  ): Watcher | undefined {
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
        clients?.delete(watcher);
        this.#watchers.remove(selection, watcher);
      },
      ...(this.#watcherLimits ? { limits: this.#watcherLimits } : {}),
    });
    clients?.add(watcher);
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
    const entries = records.flatMap((record) => this.#readEntry(record) ?? []);
    return SortedMap.fromSorted(
      entries.map(({ key }) => key),
      entries,
    );
  }

  /** Undefined: the value cannot be read, which is noted. */
  #readEntry(record: KeyRecord): CacheEntry | undefined {
    if (record.unreadable) return this.#note(record, record.unreadable);
    try {
      return this.#entryFrom(record);
    } catch (error) {
      return this.#note(record, { step: "decode", message: error instanceof Error ? error.message : String(error) });
    }
  }

  #note({ key, revision }: KeyRecord, why: UnreadableValue): undefined {
    const isKnown = this.unreadable.get(key)?.revision === revision;
    const object = { key, revision, why };
    this.unreadable.add(object, this.#now());
    if (isKnown) return;
    if (why.step === "decode") this.counts.decodeErrors += 1;
    this.#onUnreadable(object);
  }

  /** @throws Error where the value is no object of the kind */
  #entryFrom(stored: KeyRecord): CacheEntry {
    const isOwn = this.#reader.expects(stored.value);
    const record = isOwn ? stored : normalizedRecord(this.kind, stored);
    const { namespace, labels, fields } = this.#reader.read(record);
    if (!isOwn) checkSchema(this.kind, record.value);
    const places = placesOf(record.value);
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
