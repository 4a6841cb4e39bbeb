import type { HistogramSeries, Metrics } from "@coxswain/runtime/metrics";
import type { RequestInfo } from "../../request/request-info.js";

/** In steps of 100 kB up to the longest body that a server takes. */
const buckets = Array.from({ length: 31 }, (_, at) => 50_000 + at * 100_000);

/** How long the bodies of writes are, by resource and verb. */
export function createBodyMetrics(metrics: Metrics): (info: RequestInfo, bytes: number) => void {
  const sizes = metrics.histogram({
    name: "apiserver_request_body_size_bytes",
    help: "How long the bodies of requests were, in bytes.",
    labels: ["group", "resource", "verb"],
    buckets,
    stability: "ALPHA",
  });
  const known = new Map<string, HistogramSeries>();
  return ({ group, resource, verb }, bytes) => {
    const key = `${verb} ${resource}.${group}`;
    let series = known.get(key);
    if (!series)
      known.set(key, (series = sizes.with(group, resource, verb === "deletecollection" ? "delete_collection" : verb)));
    series.observe(bytes);
  };
}
