import type { Delivery } from "./cache-event.js";

/** Where a watcher's events go: an HTTP stream, or a function of the same process. */
export interface WatchSink {
  /**
   * Takes the events of one iteration of the event loop. The array is shared by all watchers that want the same: do not change it.
   * A promise means: full, give me more once it resolves.
   */
  deliver(events: readonly Delivery[]): Promise<void> | undefined;
  /** "Nothing happened up to this revision." With `initial`: what was there at the beginning has been sent. */
  bookmark(revision: number, initial: boolean): void;
  /** No more will come. `slow`: the watcher was cut because it did not keep up. */
  end(reason: "stopped" | "slow" | "closed"): void;
}

export interface Watcher {
  /** Idempotent; the sink's `end` has been called when this returns. */
  stop(): void;
  /** Sends the sink a bookmark with the cache's revision, unless events are still on their way there. */
  sendBookmark(): void;
}

export interface WatcherLimits {
  /** @default 1,000 */
  maxEventsBehind: number;
  /** @default 4 MiB */
  maxBytesBehind: number;
}

export const defaultWatcherLimits: WatcherLimits = { maxEventsBehind: 1000, maxBytesBehind: 4 << 20 };

/** How many of the initial objects are handed over at once. */
const initialChunk = 256;

export interface WatcherStart {
  sink: WatchSink;
  /** What the watcher gets before anything live, oldest first. */
  initial: readonly Delivery[];
  /**
   * Where it stands after that, which may be in the future: what happens up to there is not for it. A bookmark with the
   * initial-events-end mark follows when asked for.
   */
  revision: number;
  markInitialEnd: boolean;
  /** How far the cache is, when all that has happened was handed over. */
  reached(): number;
  limits?: WatcherLimits;
  /** Called once when it is over, whatever the reason. */
  onEnd(reason: "stopped" | "slow" | "closed"): void;
}

/**
 * One client's place in the stream. A watcher that keeps up holds nothing; one that does not holds references to shared
 * events, and is cut when they are too many. It never holds up anybody else.
 */
export class QueuedWatcher implements Watcher {
  readonly #start: WatcherStart;
  readonly #limits: WatcherLimits;
  #initialAt = 0;
  #pending: Delivery[] = [];
  #pendingBytes = 0;
  #blocked = false;
  #ended = false;
  /** Everything up to here has been handed over or queued. */
  revision: number;

  constructor(start: WatcherStart) {
    this.#start = start;
    this.#limits = start.limits ?? defaultWatcherLimits;
    this.revision = start.revision;
  }

  /** Hands over the initial events; call once the watcher is registered for live ones. */
  begin(): void {
    this.#pump();
    if (this.#start.markInitialEnd && this.#start.initial.length === 0)
      this.#start.sink.bookmark(this.#start.revision, true);
  }

  /** Live events, in order. */
  push(happened: readonly Delivery[]): void {
    if (this.#ended) return;
    const { revision } = this.#start;
    const events =
      (happened[0]?.revision ?? 0) > revision ? happened : happened.filter((event) => event.revision > revision);
    if (events.length === 0) return;
    this.revision = events.at(-1)?.revision ?? this.revision;
    if (!this.#blocked && this.#pending.length === 0 && !this.#inInitial()) {
      this.#hand(events);
      return;
    }
    for (const event of events) {
      this.#pending.push(event);
      this.#pendingBytes += event.entry.length;
    }
    if (this.#pending.length > this.#limits.maxEventsBehind || this.#pendingBytes > this.#limits.maxBytesBehind)
      this.#end("slow");
  }

  /**
   * Only a watcher with nothing queued may get a bookmark: it claims that everything up to the revision was delivered.
   * The revision at which it began is not sent again.
   */
  bookmark(revision: number): void {
    if (
      this.#ended ||
      this.#blocked ||
      this.#pending.length > 0 ||
      this.#inInitial() ||
      revision <= this.#start.revision
    )
      return;
    this.revision = revision;
    this.#start.sink.bookmark(revision, false);
  }

  sendBookmark(): void {
    this.bookmark(this.#start.reached());
  }

  stop(): void {
    this.#end("stopped");
  }

  close(): void {
    this.#end("closed");
  }

  #inInitial(): boolean {
    return this.#initialAt < this.#start.initial.length;
  }

  #pump(): void {
    while (!this.#blocked && !this.#ended) {
      if (this.#inInitial()) {
        const chunk = this.#start.initial.slice(this.#initialAt, this.#initialAt + initialChunk);
        this.#initialAt += chunk.length;
        this.#hand(chunk);
        if (!this.#inInitial() && this.#start.markInitialEnd && !this.#ended)
          this.#start.sink.bookmark(this.#start.revision, true);
      } else if (this.#pending.length > 0) {
        const events = this.#pending;
        this.#pending = [];
        this.#pendingBytes = 0;
        this.#hand(events);
      } else return;
    }
  }

  #hand(events: readonly Delivery[]): void {
    const full = this.#start.sink.deliver(events);
    if (!full) return;
    this.#blocked = true;
    const resume = (): void => {
      this.#blocked = false;
      this.#pump();
    };
    full.then(resume, () => this.#end("stopped"));
  }

  #end(reason: "stopped" | "slow" | "closed"): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#pending = [];
    this.#start.onEnd(reason);
    this.#start.sink.end(reason);
  }
}
