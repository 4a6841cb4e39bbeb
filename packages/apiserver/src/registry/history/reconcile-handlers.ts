import { encodeJson, walk } from "@coxswain/apimachinery/json";
import type { RecordedWork, WorkRecorder } from "@coxswain/client/work";
import { type CacheEntry, withBytes } from "../../cache/cache-entry.js";
import { createDelivery } from "../../cache/cache-event.js";
import type { Watcher, WatchSink } from "../../cache/watcher.js";
import { readListOptions } from "../../endpoints/list-options.js";
import { parseRevision } from "../../endpoints/resource-version.js";
import type { RegistryDeps, RegistryHandler } from "../contract/registry-deps.js";
import { historyOf, watchMs } from "./change-handlers.js";
import { reconcileKind } from "./history-kinds.js";
import { type Reconcile, reconcileObject, waitingObject } from "./reconcile-object.js";

/** In a list without a limit. */
const pageSize = 500;

/** What runs, what waits, and what ran last, newest first. */
export const handleReconcileList: RegistryHandler = (deps, context, { kind }) => {
  const { works } = historyOf(deps);
  const options = readListOptions(context, kind);
  const most = Math.min(options.limit || pageSize, 5000);
  const entries = works ? listedReconciles(works, most).map(entryOf) : [];
  return { as: "list", kind, resourceVersion: String(lastOf(works)), entries };
};

/** Pure: at most so many. What is in hand or waits comes before what is done, of which there is always enough to fill a page. */
export function listedReconciles(recorder: Pick<WorkRecorder, "works" | "waiting">, most: number): Reconcile[] {
  const version = lastOf(recorder);
  const works = recorder.works.toReversed();
  const isRunning = ({ ended }: RecordedWork): boolean => ended === undefined;
  const running = works.filter(isRunning).slice(0, most);
  const waiting = recorder.waiting.slice(0, most - running.length);
  const done = works.filter((work) => !isRunning(work)).slice(0, most - running.length - waiting.length);
  return [
    ...running.map(reconcileObject),
    ...waiting.map((work, at) => waitingObject(work, { at, version })),
    ...done.map(reconcileObject),
  ];
}

/** Those that begin and end from now on, or from the list on that has the resourceVersion. */
export const handleReconcileWatch: RegistryHandler = (deps, context, { kind }) => {
  const { works } = historyOf(deps);
  const options = readListOptions(context, kind);
  const asked = parseRevision(options.resourceVersion);
  const after = asked === 0 ? lastOf(works) : asked;
  return {
    as: "watch",
    kind,
    timeoutMs: watchMs(deps, options),
    bookmarks: options.allowWatchBookmarks,
    refusal: undefined,
    open: (sink) => openWatch(works, { after, runtime: deps.runtime }, sink),
  };
};

const lastOf = (works: Pick<WorkRecorder, "works"> | undefined): number => works?.works.at(-1)?.id ?? 0;

/** What changed since the last iteration of the event loop goes out together. */
function openWatch(
  works: WorkRecorder | undefined,
  { after, runtime }: { readonly after: number } & Pick<RegistryDeps, "runtime">,
  sink: WatchSink,
): Watcher {
  const changed = new Set<RecordedWork>(works?.works.filter(({ id }) => id > after));
  const known = new Set<number>();
  let isOver = false;
  let isDelivering = false;
  async function deliver(): Promise<void> {
    isDelivering = true;
    while (changed.size > 0) {
      await runtime.scheduler.nextIteration();
      if (isOver) return;
      const batch = [...changed];
      changed.clear();
      const events = batch.map((work) => {
        const type = known.has(work.id) ? "MODIFIED" : "ADDED";
        if (work.ended === undefined) known.add(work.id);
        else known.delete(work.id);
        const entry = entryOf(reconcileObject(work));
        return createDelivery({ type, entry, previous: undefined, revision: work.id });
      });
      if (events.length > 0) await sink.deliver(events);
    }
    isDelivering = false;
  }
  const stop = (reason: "stopped" | "closed"): void => {
    if (isOver) return;
    isOver = true;
    unsubscribe?.();
    sink.end(reason);
  };
  const wake = (): void => {
    if (!isDelivering && !isOver) deliver().catch(() => stop("closed")); // the client lists and watches again
  };
  const unsubscribe = works?.onChange((work) => {
    changed.add(work);
    wake();
  });
  wake();
  return {
    stop: () => stop("stopped"),
    sendBookmark() {
      if (!isOver && !isDelivering) sink.bookmark(lastOf(works), false);
    },
  };
}

const entryOf = (object: Reconcile): CacheEntry =>
  withBytes(
    {
      key: object.metadata.name ?? "",
      revision: Number(object.metadata.resourceVersion),
      namespace: "",
      labels: undefined,
      fields: undefined,
      stale: false,
    },
    encodeJson(walk(object, reconcileKind.schema), reconcileKind.schema),
  );
