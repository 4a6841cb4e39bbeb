import type { Scheduler } from "@coxswain/runtime/scheduler";
import type { KeyEvent, WatchQuery } from "../contract/key-value-store.js";
import { StoreError } from "../contract/store-error.js";
import type { Change, IndexEntry, Journal } from "./journal.js";
import { LoggedEvent } from "./logged-event.js";
import type { StoreReach } from "./plan-batch.js";

/** Catching up goes in portions of about this size, and others run between them. */
const portionChanges = 500;
const portionBytes = 1024 * 1024;
/** What reading a change and delivering it costs. */
const microsPerChange = 5;

type OnBatch = (events: readonly KeyEvent[], progress: number) => void;

interface Watcher {
  readonly prefix: string;
  /** Everything up to here has been delivered. */
  seen: number;
  readonly onBatch: OnBatch;
  readonly end: (err?: unknown) => void;
}

/** Hands each durable batch to the watchers, and lets new ones catch up from the journal first, without a gap between the two. */
export class WatchHub<E extends IndexEntry> {
  readonly #live = new Set<Watcher>();
  readonly #catchingUp = new Set<Watcher>();
  readonly #journal: Journal<E>;
  readonly #scheduler: Pick<Scheduler, "yield">;
  readonly #reached: () => StoreReach;

  constructor(journal: Journal<E>, scheduler: Pick<Scheduler, "yield">, reached: () => StoreReach) {
    this.#journal = journal;
    this.#scheduler = scheduler;
    this.#reached = reached;
  }

  watch({ prefix, from }: WatchQuery, onBatch: OnBatch, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (err?: unknown): void => {
        this.#live.delete(watcher);
        this.#catchingUp.delete(watcher);
        signal.removeEventListener("abort", stop);
        if (err === undefined) resolve();
        else reject(err);
      };
      const stop = (): void => end();
      const watcher: Watcher = { prefix, seen: from, onBatch, end };
      if (signal.aborted) return end();
      signal.addEventListener("abort", stop);
      this.#catchingUp.add(watcher);
      this.#catchUp(watcher).catch(end);
    });
  }

  /** Synchronously, to every watcher that has caught up. */
  publish(changes: readonly Change<E>[], revision: number): void {
    if (this.#live.size === 0) return;
    const events = changes.map((change) => new LoggedEvent(change, this.#journal));
    for (const watcher of this.#live) this.#deliver(watcher, events, revision);
  }

  /** Ends every watch: with nothing, as an abort does, or with an error. */
  endAll(err?: unknown): void {
    for (const watcher of [...this.#live, ...this.#catchingUp]) watcher.end(err);
  }

  async #catchUp(watcher: Watcher): Promise<void> {
    await Promise.resolve();
    while (this.#catchingUp.has(watcher)) {
      const { revision, compacted } = this.#reached();
      if (watcher.seen < compacted)
        throw new StoreError("expired", `revision ${watcher.seen} is compacted: history begins at ${compacted}`);
      if (watcher.seen >= revision) {
        this.#catchingUp.delete(watcher);
        this.#live.add(watcher);
        // A watch from a future revision delivers nothing until that is reached.
        if (watcher.seen === revision) this.#call(watcher, [], revision);
        return;
      }
      const { events, upTo } = this.#portion(watcher.seen, revision);
      this.#deliver(watcher, events, upTo);
      if (upTo < revision) await this.#scheduler.yield(events.length * microsPerChange);
    }
  }

  #portion(after: number, upTo: number): { events: LoggedEvent<E>[]; upTo: number } {
    const events: LoggedEvent<E>[] = [];
    let bytes = 0;
    for (const change of this.#journal.changes(after, upTo)) {
      const full = events.length >= portionChanges || bytes >= portionBytes;
      if (full && change.revision !== events.at(-1)?.revision) return { events, upTo: events.at(-1)!.revision };
      events.push(new LoggedEvent(change, this.#journal));
      bytes += change.value?.length ?? 0;
    }
    return { events, upTo };
  }

  #deliver(watcher: Watcher, events: readonly LoggedEvent<E>[], revision: number): void {
    if (revision <= watcher.seen) return;
    const { prefix, seen } = watcher;
    const mine = events.every((event) => event.revision > seen && event.key.startsWith(prefix))
      ? events
      : events.filter((event) => event.revision > seen && event.key.startsWith(prefix));
    watcher.seen = revision;
    this.#call(watcher, mine, revision);
  }

  /** A watcher that throws breaks its contract; that ends its own watch and nobody else's. */
  #call(watcher: Watcher, events: readonly KeyEvent[], revision: number): void {
    try {
      watcher.onBatch(events, revision);
    } catch (err) {
      watcher.end(err);
    }
  }
}
