import type { Metrics } from "@coxswain/runtime/metrics";
import type { CacheCounts } from "../../cache/cache-counts.js";
import type { CacheFeed } from "../../cache/cache-feed.js";

const ofResource = ["group", "resource"];

/** What the watch caches count, under upstream's names. Looked up when somebody asks; what never happened is not mentioned. */
export function addCacheMetrics(metrics: Metrics, feed: CacheFeed): void {
  const counter = (
    name: string,
    help: string,
    of: keyof CacheCounts,
    options: { readonly more?: readonly [label: string, value: string][]; readonly stability?: "ALPHA" | "BETA" } = {},
  ): void => {
    const { more = [], stability = "ALPHA" } = options;
    metrics.collectCounter(
      { name, help, labels: [...ofResource, ...more.map(([label]) => label)], stability },
      (report) => {
        for (const { kind, counts } of feed.caches())
          if (counts[of] > 0) report(counts[of], kind.group, kind.resource, ...more.map(([, value]) => value));
      },
    );
  };
  counter("apiserver_storage_events_received_total", "Events that the store has sent.", "events", {
    stability: "BETA",
  });
  counter("apiserver_watch_cache_events_received_total", "Events that a watch cache has taken in.", "events");
  counter(
    "apiserver_watch_cache_events_dispatched_total",
    "Events that a watch cache has held against its watchers.",
    "events",
  );
  counter("apiserver_init_events_total", "Objects that watchers got as the state they begin with.", "initial");
  counter("apiserver_terminated_watchers_total", "Watchers that were cut because they did not keep up.", "cut");
  // Nothing but keys is indexed for lists.
  counter("apiserver_cache_list_total", "Lists from a watch cache.", "lists", { more: [["index", ""]] });
  counter(
    "apiserver_cache_list_fetched_objects_total",
    "Objects that lists have looked at in a watch cache.",
    "looked",
    { more: [["index", ""]] },
  );
  counter(
    "apiserver_cache_list_returned_objects_total",
    "Objects that lists from a watch cache have answered with.",
    "listed",
  );
  counter(
    "apiserver_watch_cache_consistent_read_total",
    "Lists of the newest state from a watch cache.",
    "consistentLists",
    {
      more: [
        ["success", "true"],
        ["fallback", "false"],
      ],
    },
  );
  counter(
    "apiserver_storage_decode_errors_total",
    "Stored values that are no object of their resource.",
    "decodeErrors",
  );
  addUnreadableGauge(metrics, feed);
  metrics.collectCounter(
    {
      name: "apiserver_watch_cache_initializations_total",
      help: "How often a watch cache was filled.",
      labels: ofResource,
      stability: "ALPHA",
    },
    (report) => {
      for (const { kind } of feed.caches()) report(1, kind.group, kind.resource);
    },
  );
  metrics.collectGauge(
    {
      name: "apiserver_resource_size_estimate_bytes",
      help: "Bytes of all objects of a resource, as JSON.",
      labels: ofResource,
      stability: "ALPHA",
    },
    (report) => {
      for (const { kind, bytes } of feed.caches()) report(bytes, kind.group, kind.resource);
    },
  );
}

function addUnreadableGauge(metrics: Metrics, feed: CacheFeed): void {
  metrics.collectGauge(
    {
      name: "coxswain_storage_unreadable_objects",
      help: "Stored objects that cannot be decrypted or decoded now; as long as there is one, its resource is neither listed nor watched.",
      labels: ofResource,
      stability: "ALPHA",
    },
    (report) => {
      for (const { kind, unreadable } of feed.caches())
        if (unreadable.size > 0) report(unreadable.size, kind.group, kind.resource);
    },
  );
}
