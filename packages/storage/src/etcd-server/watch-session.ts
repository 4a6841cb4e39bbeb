import type { Clock, Timer } from "@coxswain/runtime/clock";
import type { KeyEvent, KeyValueStore } from "../contract/key-value-store.js";
import { hasStoreReason } from "../contract/store-error.js";
import { etcdKeyValue, type LeaseNameOf } from "./etcd-key-value.js";
import { isAmong, type Keys, keysOf } from "./key-range.js";
import type { EtcdEvent, WatchCreate, WatchResponse } from "./messages.js";

/** Numbers of `Event.type` and `WatchCreateRequest.FilterType`. */
const eventType = { put: 0, delete: 1 } as const;
const filter = { noPut: 0, noDelete: 1 } as const;

/** Bytes of events in one response; more are sent in fragments where the client takes them (etcd: the largest request, 1.5 MiB). */
const maxResponseBytes = 1_500_000;
/** Bytes of events that wait for a client that does not read. Beyond it the stream ends, so that the client begins again. */
const maxWaitingBytes = 64 * 1024 * 1024;
/** How often a watch that asked for it learns the present revision (etcd: `--watch-progress-notify-interval`, which Kubernetes sets to this). */
const progressIntervalMs = 5000;
/** Of a response that concerns all watches of a stream (`clientv3.InvalidWatchID`). */
const allWatches = -1;

interface Watch {
  readonly id: number;
  readonly stop: AbortController;
  /** Everything up to this revision has been delivered, or is not asked for. A client that knows a later one from us would skip what is between. */
  delivered: number;
  readonly wantsProgress: boolean;
}

export interface WatchSessionOptions {
  readonly store: KeyValueStore;
  readonly clock: Clock;
  readonly leaseName: LeaseNameOf;
  /** Resolves when more may be sent. Responses are sent one after the other, in their order. */
  readonly send: (response: WatchResponse) => Promise<void>;
  /** The client does not read what it asked for. */
  readonly onOverflow: () => void;
}

/** All watches of one stream. */
export class WatchSession {
  readonly #options: WatchSessionOptions;
  readonly #watches = new Map<number, Watch>();
  #nextId = 0;
  #waiting: { readonly response: WatchResponse; readonly bytes: number }[] = [];
  #waitingBytes = 0;
  #isSending = false;
  #isAskedForProgress = false;
  /** There while a watch wants progress without asking. */
  #progressTimer: Timer | undefined;

  constructor(options: WatchSessionOptions) {
    this.#options = options;
  }

  /** Begins a watch; the response that it was created comes before its events. */
  async create(request: WatchCreate): Promise<void> {
    const { store } = this.#options;
    const id = request.watch_id !== 0 ? request.watch_id : this.#freeId();
    const revision = await store.readRevision();
    const cancel_reason = this.#refusalOf(id, request);
    if (cancel_reason !== undefined) {
      this.#queue({ header: { revision }, watch_id: allWatches, created: true, canceled: true, cancel_reason });
      return;
    }
    const keys = keysOf(request);
    const wantsProgress = request.progress_notify;
    const from = request.start_revision > 0 ? request.start_revision - 1 : revision;
    const watch: Watch = { id, stop: new AbortController(), delivered: from, wantsProgress };
    this.#watches.set(id, watch);
    this.#queue({ header: { revision }, watch_id: id, created: true });
    if (wantsProgress) this.#progressTimer ??= this.#nextProgress();
    void this.#run(watch, keys, request, from);
  }

  /** In etcd's words (`recvLoop` of server/etcdserver/api/v3rpc/watch.go): a revision before the first is taken for compacted. */
  #refusalOf(id: number, { start_revision }: WatchCreate): string | undefined {
    if (start_revision < 0) return "etcdserver: mvcc: required revision has been compacted";
    return this.#watches.has(id) ? "etcdserver: mvcc: duplicate watch ID provided on the WatchStream" : undefined;
  }

  async cancel(id: number): Promise<void> {
    const watch = this.#watches.get(id);
    if (!watch) return;
    this.#watches.delete(id);
    watch.stop.abort();
    this.#queue({ header: { revision: await this.#options.store.readRevision() }, watch_id: id, canceled: true });
  }

  /** Answered once all watches have been delivered everything up to then: events of a batch arrive before their writers are answered. */
  async askForProgress(): Promise<void> {
    this.#isAskedForProgress = true;
    await this.#reportProgress();
  }

  close(): void {
    this.#progressTimer?.cancel();
    for (const { stop } of this.#watches.values()) stop.abort();
    this.#watches.clear();
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #nextProgress(): Timer {
    return this.#options.clock.setTimer(progressIntervalMs, () => {
      this.#progressTimer = this.#nextProgress();
      void this.#notifyOfProgress();
    });
  }

  async #notifyOfProgress(): Promise<void> {
    const read = this.#options.store.readRevision();
    const revision = typeof read === "number" ? read : await read;
    for (const { id, delivered, wantsProgress } of this.#watches.values())
      if (delivered >= revision && wantsProgress) this.#queue({ header: { revision }, watch_id: id });
  }

  async #reportProgress(): Promise<void> {
    if (!this.#isAskedForProgress) return;
    const read = this.#options.store.readRevision();
    const revision = typeof read === "number" ? read : await read;
    const isBehind = [...this.#watches.values()].some(({ delivered }) => delivered < revision);
    if (isBehind || !this.#isAskedForProgress) return;
    this.#isAskedForProgress = false;
    this.#queue({ header: { revision }, watch_id: allWatches });
  }

  async #run(watch: Watch, keys: Keys, request: WatchCreate, from: number): Promise<void> {
    const { store } = this.#options;
    const prefix = keys.kind === "one" ? keys.key : keys.prefix;
    try {
      await store.watch(
        { prefix, from },
        (events, progress) => {
          this.#deliver(watch.id, keys, request, events);
          watch.delivered = Math.max(watch.delivered, progress);
          void this.#reportProgress();
        },
        watch.stop.signal,
      );
    } catch (error) {
      // It stands for a watch that is behind until its end is sent: no progress may come before that.
      const { compactedRevision, revision } = await store.status();
      if (!this.#watches.delete(watch.id)) return;
      this.#queue({
        header: { revision },
        watch_id: watch.id,
        canceled: true,
        ...(hasStoreReason(error, "expired")
          ? {
              compact_revision: compactedRevision,
              cancel_reason: "etcdserver: mvcc: required revision has been compacted",
            }
          : { cancel_reason: (error as Error).message }),
      });
      void this.#reportProgress();
    }
  }

  #deliver(id: number, keys: Keys, request: WatchCreate, events: readonly KeyEvent[]): void {
    let portion: EtcdEvent[] = [];
    let bytes = 0;
    let revision = 0;
    const flush = (fragment: boolean): void => {
      if (portion.length === 0) return;
      this.#queue({ header: { revision }, watch_id: id, fragment, events: portion }, bytes);
      portion = [];
      bytes = 0;
    };
    for (const event of events) {
      if (!isAmong(keys, event.key) || isFilteredOut(request, event)) continue;
      const size = sizeOf(event);
      // Events of one revision stay in one response, unless the client puts fragments together.
      if (bytes + size > maxResponseBytes && (request.fragment || event.revision !== revision))
        flush(request.fragment && event.revision === revision);
      revision = event.revision;
      portion.push(etcdEvent(event, request.prev_kv, this.#options.leaseName));
      bytes += size;
    }
    flush(false);
  }

  #queue(response: WatchResponse, bytes = 0): void {
    this.#waiting.push({ response, bytes });
    this.#waitingBytes += bytes;
    if (this.#waitingBytes > maxWaitingBytes) {
      this.close();
      this.#options.onOverflow();
    } else if (!this.#isSending) void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      this.#waitingBytes -= next.bytes;
      await this.#options.send(next.response);
    }
    this.#isSending = false;
  }

  #freeId(): number {
    while (this.#watches.has(this.#nextId)) this.#nextId++;
    return this.#nextId++;
  }
}

const isFilteredOut = ({ filters }: WatchCreate, { type }: KeyEvent): boolean =>
  filters.includes(type === "put" ? filter.noPut : filter.noDelete);

const sizeOf = ({ key, record, previous }: KeyEvent): number =>
  key.length * 2 + (record?.value.length ?? 0) + (previous?.value.length ?? 0) + 64;

function etcdEvent(
  { type, key, revision, record, previous }: KeyEvent,
  withPrevious: boolean,
  name: LeaseNameOf,
): EtcdEvent {
  const prev_kv = withPrevious && previous ? { prev_kv: etcdKeyValue(previous, name) } : {};
  return type === "put" && record
    ? { type: eventType.put, kv: etcdKeyValue(record, name), ...prev_kv }
    : { type: eventType.delete, kv: { key: Buffer.from(key), mod_revision: revision }, ...prev_kv };
}
