import type { KeyEvent, KeyRecord, KeyValueStore, WatchQuery } from "../contract/key-value-store.js";
import type { Codec } from "./codec.js";

type OnBatch = (events: readonly KeyEvent[], progress: number) => void;

/**
 * Watches that hand out opened values: at once as the store does, as long as all of them can be opened at once. Where one
 * has to wait for its key, those behind it wait too, and so do writers of what is watched there, so that they still find their events
 * delivered. Others do not wait: where a plugin that has the keys of Secrets hangs, everything else is written as before.
 */
export class EncryptedWatches {
  readonly #store: KeyValueStore;
  readonly #codec: Codec;
  /** Each with the prefix of its watch. */
  readonly #waiting = new Map<Promise<void>, string>();

  constructor(store: KeyValueStore, codec: Codec) {
    this.#store = store;
    this.#codec = codec;
  }

  /** Resolves when every watch that sees one of the keys has delivered what it has received from the store so far. @param keys of writes; undefined: any */
  async delivered(keys?: readonly string[]): Promise<void> {
    if (this.#waiting.size === 0) return;
    const sees = (prefix: string): boolean => keys === undefined || keys.some((key) => key.startsWith(prefix));
    await Promise.allSettled([...this.#waiting].flatMap(([one, prefix]) => (sees(prefix) ? [one] : [])));
  }

  async watch(query: WatchQuery, onBatch: OnBatch, signal: AbortSignal): Promise<void> {
    const stopping = new AbortController();
    const stop = (): void => stopping.abort();
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    let failure: { error: unknown } | undefined;
    let queue: Promise<void> | undefined;
    const fail = (error: unknown): void => {
      failure ??= { error };
      stop();
    };
    const deliver = (events: readonly KeyEvent[], progress: number): void => {
      if (!stopping.signal.aborted) onBatch(events, progress);
    };
    const enqueue = (events: Promise<readonly KeyEvent[]> | readonly KeyEvent[], progress: number): void => {
      const before = queue ?? Promise.resolve();
      const mine = before.then(async () => deliver(await events, progress)).catch(fail);
      queue = mine;
      this.#waiting.set(mine, query.prefix);
      void mine.then(() => {
        this.#waiting.delete(mine);
        if (queue === mine) queue = undefined;
      });
    };
    try {
      await this.#store.watch(
        query,
        (events, progress) => {
          try {
            const opened = this.#openEvents(events);
            if (queue || opened instanceof Promise) enqueue(opened, progress);
            else deliver(opened, progress);
          } catch (error) {
            fail(error);
          }
        },
        stopping.signal,
      );
      await queue;
    } finally {
      signal.removeEventListener("abort", stop);
    }
    if (failure) throw failure.error;
  }

  #openEvents(events: readonly KeyEvent[]): readonly KeyEvent[] | Promise<readonly KeyEvent[]> {
    const all = events.map((event) => this.#openEvent(event));
    return all.some((one) => one instanceof Promise) ? Promise.all(all) : (all as KeyEvent[]);
  }

  #openEvent(event: KeyEvent): KeyEvent | Promise<KeyEvent> {
    const record = event.record && this.#codec.open(event.record);
    // Engines may fetch the previous value only when it is looked at; where it is plain, leave that to the reader.
    if (this.#codec.isPlain(event.key)) return event;
    const previous = event.previous && this.#codec.open(event.previous);
    if (!(record instanceof Promise) && !(previous instanceof Promise)) return withRecords(event, record, previous);
    return Promise.all([record, previous]).then(([opened, before]) => withRecords(event, opened, before));
  }
}

const withRecords = (
  { type, key, revision, note }: KeyEvent,
  record: KeyRecord | undefined,
  previous: KeyRecord | undefined,
): KeyEvent => ({ type, key, revision, record, previous, note });
