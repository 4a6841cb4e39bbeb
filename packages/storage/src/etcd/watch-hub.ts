import type { Logger } from "@coxswain/runtime/log";
import type { Scheduler } from "@coxswain/runtime/scheduler";
import type { KeyEvent, WatchQuery } from "../contract/key-value-store.js";
import { hasStoreReason, StoreError } from "../contract/store-error.js";
import type { CompactionState } from "./compaction-state.js";
import type { EtcdClient } from "./etcd-client.js";
import { EventRing } from "./event-ring.js";
import { followEtcd } from "./follow-etcd.js";
import { type KeyRange, rangeOfPrefix } from "./key-range.js";
import { readRevision } from "./reads.js";

type OnBatch = (events: readonly KeyEvent[], progress: number) => void;

interface Watcher {
  readonly prefix: string;
  /** Everything up to here has been delivered. */
  seen: number;
  readonly onBatch: OnBatch;
  readonly end: (error?: unknown) => void;
}

export interface WatchHubOptions {
  readonly client: EtcdClient;
  readonly compaction: CompactionState;
  /** Only keys that begin with it are watched. Anything but "" needs `trustsProgress`. */
  readonly prefix: string;
  /** Whether this etcd's answers about progress are right. */
  readonly trustsProgress: boolean;
  readonly scheduler: Pick<Scheduler, "yield">;
  readonly log: Pick<Logger, "warn">;
  /** What is known of an event beside what etcd has. */
  noted(event: KeyEvent): KeyEvent;
}

/** Catching up from memory is done in portions; others run between them. */
const portionEvents = 500;
/** What delivering an event costs. */
const microsPerEvent = 5;

/**
 * One watch on etcd for all watchers of the store. Since it covers all keys, every revision shows in it, and so the hub
 * always knows exactly how far it is; writers are answered once it has come to their revision.
 *
 * A lost connection is resumed where it was. Only when history was compacted meanwhile do the watches end, with "expired".
 */
export class WatchHub {
  readonly #options: WatchHubOptions;
  readonly #range: KeyRange;
  readonly #live = new Set<Watcher>();
  readonly #catchingUp = new Set<Watcher>();
  readonly #stopping = new AbortController();
  #waiting: { readonly revision: number; readonly resolve: () => void }[] = [];
  #ring = new EventRing(0);
  #progress = 0;
  #started: Promise<void> | undefined;
  #running: Promise<void> | undefined;
  #askProgress: () => void = () => {};

  constructor(options: WatchHubOptions) {
    this.#options = options;
    this.#range = rangeOfPrefix(options.prefix);
  }

  watch({ prefix, from }: WatchQuery, onBatch: OnBatch, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (error?: unknown): void => {
        this.#live.delete(watcher);
        this.#catchingUp.delete(watcher);
        signal.removeEventListener("abort", stop);
        if (error === undefined) resolve();
        else reject(error);
      };
      const stop = (): void => end();
      // Revision 1 is the empty store: nothing happened in it.
      const watcher: Watcher = { prefix, seen: Math.max(1, from), onBatch, end };
      if (signal.aborted || this.#stopping.signal.aborted) return end();
      signal.addEventListener("abort", stop);
      this.#catchingUp.add(watcher);
      this.#catchUp(watcher, from).catch(end);
    });
  }

  /** Resolves once this revision has been delivered to every watcher; at once when there are none. */
  reached(revision: number): Promise<void> | undefined {
    if (this.#progress >= revision || (this.#live.size === 0 && this.#catchingUp.size === 0)) return undefined;
    this.#askProgress();
    return new Promise((resolve) => this.#waiting.push({ revision, resolve }));
  }

  /** Ends every watch as an abort does. */
  async close(): Promise<void> {
    this.#stopping.abort();
    for (const watcher of [...this.#live, ...this.#catchingUp]) watcher.end();
    for (const { resolve } of this.#waiting.splice(0)) resolve();
    await this.#running;
  }

  async #catchUp(watcher: Watcher, from: number): Promise<void> {
    const { compaction, scheduler } = this.#options;
    await this.#start();
    if (from < compaction.known) throw expired(from, compaction.known);
    while (this.#catchingUp.has(watcher)) {
      if (watcher.seen >= this.#progress) {
        this.#catchingUp.delete(watcher);
        this.#live.add(watcher);
        // A watch from a future revision delivers nothing until that is reached.
        if (watcher.seen === this.#progress) this.#call(watcher, [], this.#progress);
        return;
      }
      if (watcher.seen < this.#ring.start) await this.#replay(watcher);
      else {
        const portion = this.#ring.after(watcher.seen, portionEvents) ?? { events: [], upTo: this.#progress };
        this.#deliver(watcher, portion.events, portion.upTo);
        if (watcher.seen < this.#progress) await scheduler.yield(portion.events.length * microsPerEvent);
      }
    }
  }

  /** From etcd, until what is in memory goes on from there. */
  async #replay(watcher: Watcher): Promise<void> {
    const { client, trustsProgress } = this.#options;
    const done = new AbortController();
    const isDone = (): boolean => !this.#catchingUp.has(watcher) || watcher.seen >= this.#ring.start;
    for (let attempt = 0; !isDone(); attempt += 1) {
      try {
        await followEtcd(
          client,
          { range: this.#range, from: watcher.seen, trustsProgress, asksProgress: trustsProgress, signal: done.signal },
          (events, upTo) => {
            this.#deliver(watcher, events, upTo);
            if (isDone()) done.abort();
          },
        );
      } catch (error) {
        if (hasStoreReason(error, "expired")) throw error;
        await client.pause(attempt, this.#stopping.signal);
      }
    }
  }

  /** At first, and after a loss, finds out where etcd is and follows it from there. */
  #start(): Promise<void> {
    this.#started ??= this.#begin().catch((error: unknown) => {
      this.#started = undefined;
      throw error;
    });
    return this.#started;
  }

  async #begin(): Promise<void> {
    const revision = await readRevision(this.#options.client);
    this.#ring = new EventRing(revision);
    this.#advance(revision);
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    const { client, trustsProgress, prefix, log, noted } = this.#options;
    const { signal } = this.#stopping;
    const onOpen = (ask: () => void): void => void (this.#askProgress = prefix === "" ? () => {} : ask);
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const at = this.#progress;
      try {
        await this.#start();
        await followEtcd(
          client,
          { range: this.#range, from: this.#progress, trustsProgress, asksProgress: false, signal, onOpen },
          (events, upTo) => this.#publish(events.map(noted), upTo),
        );
      } catch (error) {
        if (signal.aborted) return;
        log.warn("The watch on etcd was lost and is being resumed", { revision: this.#progress, error });
        if (hasStoreReason(error, "expired")) this.#lose(error);
        else if (hasStoreReason(error, "unavailable")) {
          // Not allowed. Trying again by itself helps nobody; the next watch does.
          this.#lose(error);
          this.#running = undefined;
          return;
        } else if (this.#progress === at && attempt > 0) client.leaveEndpoint();
        if (this.#progress > at) attempt = 0;
        await client.pause(attempt, signal);
        await this.#checkLoss();
      }
    }
  }

  /** An etcd that has gone back in time (restored from a backup) would have us wait for a revision that comes again, but means another. */
  async #checkLoss(): Promise<void> {
    try {
      const revision = await readRevision(this.#options.client, this.#stopping.signal);
      if (revision < this.#progress)
        this.#lose(
          new StoreError(
            "expired",
            `etcd is at revision ${revision}, but was at ${this.#progress} before: it has lost data`,
          ),
        );
    } catch (error) {
      if (hasStoreReason(error, "expired")) this.#lose(error); // another cluster answers
      // Otherwise etcd does not answer yet. The next attempt to follow it reports the error.
    }
  }

  /** What happened meanwhile cannot be known any more. */
  #lose(error: unknown): void {
    for (const watcher of [...this.#live, ...this.#catchingUp]) watcher.end(error);
    for (const { resolve } of this.#waiting.splice(0)) resolve();
    this.#started = undefined;
  }

  #publish(events: readonly KeyEvent[], revision: number): void {
    if (revision <= this.#progress) return;
    if (events.length > 0) this.#ring.push(events, revision);
    for (const watcher of this.#live) this.#deliver(watcher, events, revision);
    this.#advance(revision);
  }

  /** After delivery to the watchers: writers wait for this. */
  #advance(revision: number): void {
    this.#progress = revision;
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) {
      if (one.revision <= revision) one.resolve();
      else this.#waiting.push(one);
    }
    if (this.#waiting.length > 0) this.#askProgress();
  }

  #deliver(watcher: Watcher, events: readonly KeyEvent[], revision: number): void {
    if (revision < watcher.seen) return;
    const { prefix, seen } = watcher;
    const mine = events.filter((event) => event.revision > seen && event.key.startsWith(prefix));
    watcher.seen = revision;
    this.#call(watcher, mine, revision);
  }

  /** A watcher that throws breaks its contract; that ends its own watch and nobody else's. */
  #call(watcher: Watcher, events: readonly KeyEvent[], revision: number): void {
    try {
      watcher.onBatch(events, revision);
    } catch (error) {
      watcher.end(error);
    }
  }
}

const expired = (from: number, compacted: number): StoreError =>
  new StoreError("expired", `revision ${from} is compacted: history begins at ${compacted}`);
