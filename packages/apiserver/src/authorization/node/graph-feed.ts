import type { DeepReadonly } from "@coxswain/api";
import type { PersistentVolume, Pod } from "@coxswain/api/core/v1";
import type { ResourceSlice } from "@coxswain/api/resource/v1";
import type { VolumeAttachment } from "@coxswain/api/storage/v1";
import type { CacheEntry } from "../../cache/cache-entry.js";
import type { CacheFeed } from "../../cache/cache-feed.js";
import { parseEntry } from "../../cache/parse-entry.js";
import type { WatchCache } from "../../cache/watch-cache.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import type { MeasureGraph } from "./graph-metrics.js";
import { NodeGraph } from "./node-graph.js";

const everything = { namespace: "", name: "", labels: undefined, fields: undefined, id: "" };

/** So that what is gone is not noted for ever where nobody asks. */
const mostNoted = 10_000;

/** Takes one object's newest state, or that it is gone. */
type Take = (entry: CacheEntry, gone: boolean) => void;

/**
 * The graph, always of now. It follows the watch caches from the first question on; what has changed since the last question is
 * only noted, so that a server without nodes pays nothing, and a pod whose status changes often is read once.
 */
export function createGraphFeed(feed: CacheFeed, measure: MeasureGraph): () => NodeGraph {
  const graph = new NodeGraph();
  const object = <T>(entry: CacheEntry): DeepReadonly<T> => parseEntry(entry) as DeepReadonly<T>;
  const takers: readonly (readonly [
    group: string,
    resource: string,
    name: "Pod" | "PV" | "VolumeAttachment" | "ResourceSlice",
    take: Take,
  ])[] = [
    [
      "",
      "pods",
      "Pod",
      (entry, gone) => graph.setPod(entry.namespace, entry.name, gone ? undefined : object<Pod>(entry)),
    ],
    [
      "",
      "persistentvolumes",
      "PV",
      (entry, gone) => graph.setVolume(entry.name, gone ? undefined : object<PersistentVolume>(entry)),
    ],
    [
      "storage.k8s.io",
      "volumeattachments",
      "VolumeAttachment",
      (entry, gone) =>
        graph.setPlaced(
          "volumeattachment",
          entry.name,
          gone ? "" : (object<VolumeAttachment>(entry).spec?.nodeName ?? ""),
        ),
    ],
    [
      "resource.k8s.io",
      "resourceslices",
      "ResourceSlice",
      (entry, gone) =>
        graph.setPlaced("resourceslice", entry.name, gone ? "" : (object<ResourceSlice>(entry).spec?.nodeName ?? "")),
    ],
  ];
  let sources: readonly (() => void)[] | undefined;
  return () => {
    sources ??= takers.map(([group, resource, name, take]) =>
      follow(feed.cacheOf(storedKind(group, resource)), (entry, gone) =>
        measure(`${gone ? "Delete" : "Add"}${name}`, () => take(entry, gone)),
      ),
    );
    for (const catchUp of sources) catchUp();
    return graph;
  };
}

/** Answers how to catch up with the cache. */
function follow(cache: WatchCache, take: Take): () => void {
  const changed = new Map<string, { readonly entry: CacheEntry; readonly gone: boolean }>();
  const takeAll = (): void => {
    for (const { entry, gone } of changed.values()) take(entry, gone);
    changed.clear();
  };
  cache.watch(
    everything,
    { now: true, mark: false },
    {
      deliver(events) {
        for (const { type, entry } of events) changed.set(entry.key, { entry, gone: type === "DELETED" });
        if (changed.size > mostNoted) takeAll();
        return undefined;
      },
      bookmark: () => {},
      end: () => {},
    },
  );
  return () => {
    cache.flush(); // What happened in this turn counts, too.
    takeAll();
  };
}
