import { type KubernetesObject, objectKey } from "@coxswain/apimachinery/meta";
import { badRequest, resourceExpired, tooLargeResourceVersion } from "@coxswain/apimachinery/status";
import type { Clock } from "@coxswain/runtime/clock";
import type { ListerWatcher, ListPage, ListRequest, WatchEvent, WatchRequest, WatchStream } from "../watch/index.js";

export interface Thing extends KubernetesObject {
  readonly value?: number;
}

interface LogEntry {
  readonly revision: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: Thing;
}

/** What may go wrong with a request, asked before it is answered. Throws to refuse. */
export interface Faults {
  beforeList(request: ListRequest): void | Promise<void>;
  beforeWatch(request: WatchRequest): void | Promise<void>;
}

/** One open watch of the fake server. */
export interface OpenWatch {
  send(events: readonly WatchEvent<Thing>[]): void;
  /** Ends it cleanly. */
  end(): void;
  /** The connection breaks. */
  cut(error: Error): void;
  /** Nothing more arrives and nothing ends, whatever the client does. */
  freeze(): void;
}

/** A model of the API server: revisions, a log for watches that can be compacted, pages, WatchList, bookmarks. */
export interface FakeServer {
  readonly listerWatcher: ListerWatcher<Thing>;
  readonly revision: number;
  put(name: string, value: number): Thing;
  remove(name: string): void;
  content(): Map<string, Thing>;
  /** Forgets the events up to now: resuming from before is 410. */
  compact(): void;
  bookmark(): void;
  /** Goes back to a copy made by `backup`, as a restore from a backup does. */
  restore(backup: unknown): void;
  backup(): unknown;
  readonly watches: readonly OpenWatch[];
  readonly requests: readonly string[];
}

export interface FakeServerOptions {
  clock: Clock;
  faults?: Partial<Faults>;
  watchList?: () => boolean;
  /** WatchList is not refused by a Status but by something on the way. */
  plainRefusal?: boolean;
  /** What a watch from a revision in the future does. */
  futureWatch?: "refuse" | "accept";
}

export function createFakeServer(options: FakeServerOptions): FakeServer {
  const { clock, faults = {}, watchList = () => true, futureWatch = "refuse", plainRefusal = false } = options;
  let revision = 100;
  let compacted = 0;
  let log: LogEntry[] = [];
  let objects = new Map<string, Thing>();
  const watches: ServerWatch[] = [];
  const requests: string[] = [];

  function commit(type: LogEntry["type"], object: Thing): Thing {
    log.push({ revision, type, object });
    for (const watch of watches.slice()) watch.send([{ type, object }]);
    return object;
  }
  const metadata = (name: string, uid: string) => ({
    name,
    namespace: "default",
    uid,
    resourceVersion: String(revision),
  });

  /** The state as it was at a revision. */
  function stateAt(at: number): Thing[] {
    const state = new Map<string, Thing>();
    for (const entry of log) {
      if (entry.revision > at) break;
      if (entry.type === "DELETED") state.delete(objectKey(entry.object));
      else state.set(objectKey(entry.object), entry.object);
    }
    return [...state.values()];
  }

  function checkFuture(version: string | undefined): void {
    if (Number(version ?? 0) > revision) throw tooLargeResourceVersion(Number(version), revision, 1);
  }

  async function list(request: ListRequest): Promise<ListPage<Thing>> {
    requests.push(`list ${JSON.stringify(request)}`);
    await faults.beforeList?.(request);
    checkFuture(request.resourceVersion);
    let at = revision;
    let from = 0;
    if (request.continue !== undefined) {
      [at = 0, from = 0] = request.continue.split(":").map(Number);
      if (at < compacted) throw resourceExpired("The provided continue parameter is too old");
    }
    const all = stateAt(at);
    const end = request.limit === undefined ? all.length : from + request.limit;
    return {
      items: all.slice(from, end).map(copy),
      resourceVersion: String(at),
      ...(end < all.length ? { continue: `${at}:${end}` } : {}),
    };
  }

  async function watch(request: WatchRequest, signal: AbortSignal): Promise<WatchStream<Thing>> {
    requests.push(`watch ${JSON.stringify({ ...request, timeoutSeconds: undefined })}`);
    await faults.beforeWatch?.(request);
    const future = Number(request.resourceVersion ?? 0) > revision;
    if (request.sendInitialEvents === true && !watchList()) {
      const message = "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled";
      throw plainRefusal ? new Error("502 Bad Gateway") : badRequest(message);
    }
    if (future && (futureWatch === "refuse" || request.sendInitialEvents)) checkFuture(request.resourceVersion);
    const opened = new ServerWatch(() => watches.splice(watches.indexOf(opened), 1));
    watches.push(opened);
    signal.addEventListener("abort", () => opened.stop(), { once: true });
    if (request.timeoutSeconds !== undefined) clock.setTimer(request.timeoutSeconds * 1000, () => opened.end());
    if (request.sendInitialEvents) {
      for (const object of objects.values()) opened.send([{ type: "ADDED", object }]);
      opened.send([{ type: "BOOKMARK", resourceVersion: String(revision), initialEventsEnd: true }]);
    } else {
      const from = Number(request.resourceVersion);
      if (from < compacted) opened.send([{ type: "ERROR", error: resourceExpired("too old resource version") }]);
      else for (const { revision: at, type, object } of log) if (at > from) opened.send([{ type, object }]);
    }
    return opened;
  }

  return {
    listerWatcher: { list, watch },
    get revision() {
      return revision;
    },
    put(name, value) {
      revision++;
      const existing = objects.get(`default/${name}`);
      const thing: Thing = { metadata: metadata(name, existing?.metadata.uid ?? `uid-${revision}`), value };
      objects.set(`default/${name}`, thing);
      return commit(existing === undefined ? "ADDED" : "MODIFIED", thing);
    },
    remove(name) {
      const existing = objects.get(`default/${name}`);
      if (existing === undefined) return;
      revision++;
      objects.delete(`default/${name}`);
      commit("DELETED", { ...existing, metadata: metadata(name, existing.metadata.uid ?? "") });
    },
    content: () => new Map(objects),
    compact() {
      compacted = revision;
    },
    bookmark() {
      for (const open of watches.slice())
        open.send([{ type: "BOOKMARK", resourceVersion: String(revision), initialEventsEnd: false }]);
    },
    backup: () => ({ revision, log: [...log], objects: new Map(objects) }),
    restore(backup) {
      const saved = backup as { revision: number; log: LogEntry[]; objects: Map<string, Thing> };
      revision = saved.revision;
      log = [...saved.log];
      objects = new Map(saved.objects);
      for (const open of watches.slice()) open.cut(new Error("connection reset"));
    },
    watches,
    requests,
  };
}

const copy = (thing: Thing): Thing => ({ ...thing, metadata: { ...thing.metadata } });

class ServerWatch implements OpenWatch, WatchStream<Thing> {
  readonly #onEnd: () => void;
  #queue: WatchEvent<Thing>[] = [];
  #wake: (() => void) | undefined;
  #over: { error?: Error } | undefined;
  #frozen = false;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  send(events: readonly WatchEvent<Thing>[]): void {
    if (this.#over !== undefined || this.#frozen) return;
    for (const event of events) this.#queue.push("object" in event ? { ...event, object: copy(event.object) } : event);
    this.#wake?.();
  }

  end(): void {
    this.#finish({});
  }

  cut(error: Error): void {
    this.#finish({ error });
  }

  freeze(): void {
    this.#frozen = true;
    this.#queue = [];
  }

  stop(): void {
    if (this.#frozen) this.#onEnd();
    else this.#finish({});
  }

  #finish(over: { error?: Error }): void {
    if (this.#over !== undefined || this.#frozen) return;
    this.#over = over;
    this.#onEnd();
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<readonly WatchEvent<Thing>[]> {
    for (;;) {
      if (this.#queue.length > 0) {
        const batch = this.#queue;
        this.#queue = [];
        yield batch;
      } else if (this.#over !== undefined) {
        if (this.#over.error !== undefined) throw this.#over.error;
        return;
      } else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
