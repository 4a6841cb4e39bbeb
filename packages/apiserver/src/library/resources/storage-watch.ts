import type { AnyKind } from "@coxswain/kinds";
import { createDelivery, type Delivery, eventType } from "../../cache/cache-event.js";
import { type Selection, selects } from "../../cache/selection.js";
import type { Watcher, WatchSink } from "../../cache/watcher.js";
import { type ListOptions, readListOptions } from "../../endpoints/list-options.js";
import type { VerbHandler } from "../../endpoints/verb-handler.js";
import type { RequestContext } from "../../request/request-context.js";
import type { Change, ResourceStorage } from "./resource-storage.js";
import { revisionOf, storageEntry } from "./storage-entry.js";

/** So many events may wait for a client that does not read; then it begins again. */
const maxWaiting = 1000;

/** What a storage reports, as a watch. Where no resourceVersion is named, what is there is sent first. */
export const storageWatch =
  (storage: ResourceStorage): VerbHandler =>
  async (deps, context, { kind, version }) => {
    const options = readListOptions(context, version ?? kind);
    const from = await firstState(storage, kind, options, context);
    const { minWatchMs } = deps;
    const wanted = options.timeoutSeconds;
    return {
      as: "watch",
      kind,
      timeoutMs: wanted === undefined ? minWatchMs * (1 + deps.runtime.random.next()) : wanted * 1000,
      bookmarks: options.allowWatchBookmarks,
      refusal: undefined,
      open: (sink) => new StorageWatcher({ storage, kind, selection: options.selection, from, context }, sink),
    };
  };

interface FirstState {
  readonly revision: number;
  readonly initial: readonly Delivery[];
  /** A bookmark marks when the first state is whole. */
  readonly marksEnd: boolean;
}

async function firstState(
  storage: ResourceStorage,
  kind: AnyKind,
  { resourceVersion, sendInitialEvents, selection, allowWatchBookmarks }: ListOptions,
  { user, signal }: RequestContext,
): Promise<FirstState> {
  const isNamed = resourceVersion !== "" && resourceVersion !== "0";
  if (isNamed && sendInitialEvents !== true)
    return { revision: revisionOf(resourceVersion), initial: [], marksEnd: false };
  const { namespace, name } = selection;
  const page = await storage.list({ namespace, name, limit: 0, continue: "" }, { user, signal });
  const initial = page.items
    .map((item) => storageEntry(kind, item))
    .filter((entry) => selects(selection, entry))
    .map((entry) => createDelivery({ type: "ADDED", entry, previous: undefined, revision: entry.revision }));
  const isSent = sendInitialEvents === true;
  return {
    revision: revisionOf(page.resourceVersion),
    initial: isSent ? initial : [],
    marksEnd: isSent && allowWatchBookmarks,
  };
}

interface WatcherOptions {
  readonly storage: ResourceStorage;
  readonly kind: AnyKind;
  readonly selection: Selection;
  readonly from: FirstState;
  readonly context: RequestContext;
}

class StorageWatcher implements Watcher {
  readonly #options: WatcherOptions;
  readonly #sink: WatchSink;
  readonly #stop = new AbortController();
  #waiting: Delivery[];
  #isSending = false;
  #isOver = false;
  #revision: number;

  constructor(options: WatcherOptions, sink: WatchSink) {
    this.#options = options;
    this.#sink = sink;
    const { storage, selection, from, context } = options;
    this.#waiting = [...from.initial];
    this.#revision = from.revision;
    void this.#send(from.marksEnd);
    const query = { namespace: selection.namespace, from: String(from.revision) };
    const ended = storage.watch?.(query, (change) => this.#add(change), {
      user: context.user,
      signal: this.#stop.signal,
    });
    ended?.then(
      () => this.#end("closed"),
      () => this.#end("closed"), // the client lists and watches again
    );
  }

  stop(): void {
    this.#end("stopped");
  }

  sendBookmark(): void {
    if (!this.#isOver && !this.#isSending && this.#waiting.length === 0) this.#sink.bookmark(this.#revision, false);
  }

  #add(change: Change): void {
    if (this.#isOver) return;
    const { kind, selection } = this.#options;
    const entry = storageEntry(kind, change.object);
    const previous = change.previous && storageEntry(kind, change.previous);
    const was = previous ? selects(selection, previous) : change.type !== "ADDED";
    const type = eventType(was, change.type !== "DELETED" && selects(selection, entry));
    this.#revision = Math.max(this.#revision, entry.revision);
    if (!type) return;
    this.#waiting.push(createDelivery({ type, entry, previous, revision: entry.revision }));
    if (this.#waiting.length > maxWaiting) this.#end("slow");
    else void this.#send(false);
  }

  async #send(marksEnd: boolean): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#waiting.length > 0 && !this.#isOver) {
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#sink.deliver(batch);
    }
    this.#isSending = false;
    if (marksEnd && !this.#isOver) this.#sink.bookmark(this.#options.from.revision, true);
  }

  #end(reason: "stopped" | "slow" | "closed"): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stop.abort();
    this.#sink.end(reason);
  }
}
