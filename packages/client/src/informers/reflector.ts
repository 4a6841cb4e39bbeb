import type { Runtime } from "@coxswain/runtime";
import { type BackoffOptions, createBackoff } from "@coxswain/runtime/backoff";
import { slept } from "@coxswain/runtime/wait";
import {
  type CachedObject,
  keyOf as defaultKeyOf,
  isNewerVersion,
  type KeyFunction,
  resourceVersionOf,
} from "../stores/index.js";
import type { ListerWatcher, WatchEvent, WatchRequest } from "../watch/index.js";
import type { ReflectorTarget } from "./delta-queue.js";
import { freezeCached } from "./freeze-cached.js";
import { listAll } from "./list-pages.js";
import {
  type Failure,
  type ReflectorTask,
  recover,
  ShortWatchError,
  WentBackwardsError,
} from "./reflector-recovery.js";
import { openWatch, type WatchReader } from "./watch-reader.js";

export type ReflectorState =
  | { readonly at: "created" | "stopped" }
  /** The first state arrives as events of a watch (WatchList). */
  | { readonly at: "streaming" }
  | { readonly at: "listing" }
  | { readonly at: "watching" }
  /** Backing off after a failure. Times are `clock.now()`. */
  | { readonly at: "waiting"; readonly until: number; readonly next: ReflectorTask };

/** How well the reflector follows the server. Times are `clock.now()`, in milliseconds. */
export interface ReflectorHealth {
  readonly state: ReflectorState;
  /** The version that the target reflects; "" before the first list. */
  readonly lastSyncResourceVersion: string;
  /** The last failure, also when all is well again. */
  readonly lastError: { readonly error: unknown; readonly at: number } | undefined;
  /** When the server last accepted a watch or sent data: the content may be stale since then. */
  readonly lastContactAt: number | undefined;
  /** Failures since the server last sent data. */
  readonly consecutiveFailures: number;
}

export interface Reflector {
  /** Keeps the target equal to the server's content until the signal aborts. Never rejects; runs once. */
  run(signal: AbortSignal): Promise<void>;
  readonly health: ReflectorHealth;
}

export interface ReflectorOptions<T> {
  listerWatcher: ListerWatcher<T>;
  target: ReflectorTarget<T>;
  /** @default namespace/name */
  keyOf?: KeyFunction<T>;
  /**
   * Applied to every object before anything keeps it, for instance to drop managedFields. It returns another object and
   * leaves the given one as it is: a server in the same process shares it with others. If it throws, a list is tried again
   * later; a single event is reported and left out.
   */
  transform?: (object: T) => T;
  /** Take the first state from a watch where the server can do that. @default true */
  useWatchList?: boolean;
  /** Items of a page of a list. @default 500 */
  pageSize?: number;
  /** The server ends a watch at a random time between these. @default 300 to 600 seconds */
  watchTimeoutSeconds?: { readonly min: number; readonly max: number };
  /** A watch that the server has not ended so long after its time is taken for dead. @default 30,000 */
  watchMarginMs?: number;
  /** The longest silence within the initial events of a watch. @default 60,000 */
  initialEventsTimeoutMs?: number;
  /** The longest that one page of a list may take. @default 120,000 */
  listTimeoutMs?: number;
  /** @default 800 ms doubling to 30 s, up to twice as long by jitter, anew after two minutes */
  backoff?: BackoffOptions;
  /** Every failure, also those that are recovered from at once; and objects that `transform` refused. */
  onError?: (error: unknown) => void;
  onStateChange?: (state: ReflectorState) => void;
  runtime: Runtime;
}

/** client-go's: at most 0.22 requests a second of each reflector while the server is unhealthy. */
const defaultBackoff = { initialMs: 800, maxMs: 30_000, factor: 2, jitter: 1, resetAfterMs: 120_000 };

/**
 * Lists, then watches, and whatever happens goes on: the target ends up equal to the server's content.
 *
 * *Guarantees*: events reach the target in the order of the server, none twice within one watch; after a gap (410, a server
 * restored from a backup) the target is replaced as a whole. Every wait is bounded: a list by `listTimeoutMs`, a watch by
 * the time that the server was asked to end it at and `watchMarginMs`.
 * *Caveats*: a half-open connection is noticed here only after up to `watchTimeoutSeconds.max`; a transport that pings
 * notices in seconds, and the reflector resumes.
 */
export const createReflector = <T extends CachedObject>(options: ReflectorOptions<T>): Reflector =>
  new ListAndWatch(settingsOf(options));

/** The options with all defaults. */
function settingsOf<T extends CachedObject>(options: ReflectorOptions<T>) {
  const { useWatchList = true, pageSize = 500, watchMarginMs = 30_000, initialEventsTimeoutMs = 60_000 } = options;
  const { listTimeoutMs = 120_000, onError = () => {}, onStateChange = () => {} } = options;
  const { clock, random } = options.runtime;
  const start: ReflectorTask = useWatchList ? "streaming" : "listing";
  return {
    listerWatcher: options.listerWatcher,
    target: options.target,
    transform: options.transform,
    keyOf: options.keyOf ?? defaultKeyOf,
    backoff: createBackoff({ clock, random, ...(options.backoff ?? defaultBackoff) }),
    watchTimeout: options.watchTimeoutSeconds ?? { min: 300, max: 600 },
    start,
    pageSize,
    watchMarginMs,
    initialEventsTimeoutMs,
    listTimeoutMs,
    onError,
    onStateChange,
    clock,
    random,
  };
}

class ListAndWatch<T extends CachedObject> implements Reflector {
  readonly #settings: ReturnType<typeof settingsOf<T>>;
  #state: ReflectorState = { at: "created" };
  #version = "";
  /** The server no longer has, or does not have yet, the version that was seen. */
  #versionUnavailable = false;
  /** The server pages even where a cache would not: it has none. */
  #serverPages = false;
  #failures = 0;
  #lastError: ReflectorHealth["lastError"];
  #lastContactAt: number | undefined;
  /** Of the task under way, for the decision after a failure. */
  #opened = false;
  #pinned = false;

  constructor(settings: ReturnType<typeof settingsOf<T>>) {
    this.#settings = settings;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, start } = this.#settings;
    if (this.#state.at !== "created") throw new Error("a reflector runs once");
    let next: ReflectorState = signal.aborted ? { at: "stopped" } : { at: start };
    while (!signal.aborted && next.at !== "stopped" && next.at !== "created") {
      this.#enter(next);
      if (next.at !== "waiting") next = await this.#step(next.at, signal);
      else if (await slept(next.until - clock.now(), { clock, signal })) next = { at: next.next };
    }
    this.#enter({ at: "stopped" });
  }

  get health(): ReflectorHealth {
    return {
      state: this.#state,
      lastSyncResourceVersion: this.#version,
      lastError: this.#lastError,
      lastContactAt: this.#lastContactAt,
      consecutiveFailures: this.#failures,
    };
  }

  #enter(next: ReflectorState): void {
    this.#state = next;
    this.#settings.onStateChange(next);
  }

  #contact(): void {
    this.#lastContactAt = this.#settings.clock.now();
  }

  readonly #prepare = (object: T): T => {
    const { transform } = this.#settings;
    return freezeCached(transform === undefined ? object : transform(object));
  };

  /** Prepared for the target, or undefined where the object cannot be used. */
  #prepared(object: T): T | undefined {
    try {
      return this.#prepare(object);
    } catch (error) {
      this.#settings.onError(error);
      return undefined;
    }
  }

  #replace(objects: readonly T[], resourceVersion: string): void {
    this.#settings.target.replace(objects, resourceVersion);
    this.#version = resourceVersion;
    this.#versionUnavailable = false;
    this.#failures = 0;
  }

  #startWatch(request: WatchRequest, deadlineMs: number | undefined, signal: AbortSignal) {
    const { listerWatcher, watchTimeout, watchMarginMs, clock, random } = this.#settings;
    const timeoutSeconds = Math.floor(watchTimeout.min + random.next() * (watchTimeout.max - watchTimeout.min));
    const endMs = timeoutSeconds * 1000 + watchMarginMs;
    const end = clock.monotonic() + endMs;
    const reader = openWatch(
      listerWatcher,
      { ...request, allowWatchBookmarks: true, timeoutSeconds },
      { deadlineMs: deadlineMs ?? endMs, clock, signal },
    );
    return { reader, remainingMs: () => Math.max(0, end - clock.monotonic()) };
  }

  /** WatchList: the state as of now, then changes, in one watch. */
  async #stream(signal: AbortSignal): Promise<void> {
    const from = this.#versionUnavailable ? "" : this.#version;
    this.#pinned = from !== "";
    const { reader: opening, remainingMs } = this.#startWatch(
      {
        sendInitialEvents: true,
        resourceVersionMatch: "NotOlderThan",
        ...(from === "" ? {} : { resourceVersion: from }),
      },
      this.#settings.initialEventsTimeoutMs,
      signal,
    );
    const reader = await opening;
    this.#opened = true;
    this.#contact();
    try {
      const rest = await this.#collect(reader);
      if (rest === undefined) return;
      this.#enter({ at: "watching" });
      reader.setDeadline(remainingMs());
      this.#apply(rest);
      await this.#follow(reader);
    } finally {
      reader.stop();
    }
  }

  /** Reads the initial events and replaces the target. What came after them in the last batch is returned. */
  async #collect(reader: WatchReader<T>): Promise<readonly WatchEvent<T>[] | undefined> {
    const collected = new Map<string, T>();
    for (;;) {
      const batch = await reader.next();
      // A clean end before the end of the initial events is a failure, unless we were stopped.
      if (batch === undefined) throw new ShortWatchError();
      this.#contact();
      reader.setDeadline(this.#settings.initialEventsTimeoutMs);
      for (const [at, event] of batch.entries()) {
        switch (event.type) {
          case "ERROR":
            throw event.error;
          case "BOOKMARK":
            if (!event.initialEventsEnd) break;
            this.#replace([...collected.values()], event.resourceVersion);
            return batch.slice(at + 1);
          case "DELETED":
            collected.delete(this.#settings.keyOf(event.object));
            break;
          default:
            collected.set(this.#settings.keyOf(event.object), this.#prepare(event.object));
        }
      }
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const from = this.#versionUnavailable ? "" : this.#version === "" ? "0" : this.#version;
    this.#pinned = from !== "";
    // Not older than a known version is served from the server's cache, but only in one piece.
    const whole = from !== "" && from !== "0" && !this.#serverPages;
    const listed = await listAll(
      this.#settings.listerWatcher,
      {
        resourceVersion: from,
        pageSize: whole ? 0 : this.#settings.pageSize,
        timeoutMs: this.#settings.listTimeoutMs,
        clock: this.#settings.clock,
        signal,
      },
      this.#prepare,
    );
    this.#contact();
    if (from === "0" && listed.paged) this.#serverPages = true;
    this.#replace(listed.items, listed.resourceVersion);
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const began = this.#settings.clock.monotonic();
    const { reader: opening } = this.#startWatch({ resourceVersion: this.#version }, undefined, signal);
    const reader = await opening;
    this.#opened = true;
    this.#contact();
    try {
      const events = await this.#follow(reader);
      if (events === 0 && !signal.aborted && this.#settings.clock.monotonic() - began < 1000)
        throw new ShortWatchError();
    } finally {
      reader.stop();
    }
  }

  /** Applies events until the watch ends; how many there were. */
  async #follow(reader: WatchReader<T>): Promise<number> {
    let events = 0;
    for (;;) {
      const batch = await reader.next();
      if (batch === undefined) return events;
      this.#contact();
      this.#apply(batch);
      events += batch.length;
    }
  }

  #apply(batch: readonly WatchEvent<T>[]): void {
    for (const event of batch) {
      if (event.type === "ERROR") throw event.error;
      const reached = event.type === "BOOKMARK" ? event.resourceVersion : resourceVersionOf(event.object);
      if (event.type === "BOOKMARK") {
        this.#checkOrder(reached);
        this.#settings.target.bookmark(reached);
      } else {
        if (event.type !== "DELETED") this.#checkOrder(reached);
        this.#applyChange(event.type, event.object);
      }
      // Some servers send a deleted object as it last was, with the version of then.
      if (reached !== "" && !(event.type === "DELETED" && isNewerVersion(this.#version, reached)))
        this.#version = reached;
      this.#failures = 0;
    }
  }

  #applyChange(type: "ADDED" | "MODIFIED" | "DELETED", received: T): void {
    const object = this.#prepared(received);
    if (object === undefined) return;
    if (type === "ADDED") this.#settings.target.add(object);
    else if (type === "MODIFIED") this.#settings.target.update(object);
    else this.#settings.target.delete(object);
  }

  /** A server that was restored from a backup reuses versions: what was seen of it is void. */
  #checkOrder(reached: string): void {
    if (isNewerVersion(this.#version, reached)) throw new WentBackwardsError(this.#version, reached);
  }

  /** Runs the task of a state to its end and decides what comes next. */
  async #step(at: ReflectorTask, signal: AbortSignal): Promise<ReflectorState> {
    this.#opened = false;
    this.#pinned = false;
    try {
      switch (at) {
        case "streaming":
          await this.#stream(signal);
          return { at: "watching" };
        case "listing":
          await this.#list(signal);
          return { at: "watching" };
        case "watching":
          await this.#watch(signal);
          return { at: "watching" };
      }
    } catch (error) {
      // A watch that was part of streaming fails like any other watch.
      const during = this.#state.at === "watching" ? "watching" : at;
      return signal.aborted
        ? { at: "stopped" }
        : this.#failed({ during, error, opened: this.#opened, pinned: this.#pinned, consecutive: ++this.#failures });
    }
  }

  #failed(failure: Failure): ReflectorState {
    this.#lastError = { error: failure.error, at: this.#settings.clock.now() };
    this.#settings.onError(failure.error);
    const recovery = recover(failure);
    if (recovery.forgetVersion) this.#versionUnavailable = true;
    const next = recovery.next === "start" ? this.#settings.start : recovery.next;
    if (!recovery.backOff) return { at: next };
    return {
      at: "waiting",
      until: this.#settings.clock.now() + Math.max(this.#settings.backoff.next(), recovery.atLeastMs),
      next,
    };
  }
}
