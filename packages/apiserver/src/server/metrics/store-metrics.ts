import type { AnyKind } from "@coxswain/kinds";
import type { Runtime } from "@coxswain/runtime";
import type { CounterSeries, HistogramSeries } from "@coxswain/runtime/metrics";
import { type KeyValueStore, passOn } from "@coxswain/storage";
import { findByPrefix } from "../../cache/find-by-prefix.js";

const buckets = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];

interface Series {
  readonly duration: HistogramSeries;
  readonly total: CounterSeries;
}

type Operation = "get" | "list" | "create" | "update" | "delete";

export interface StoreMetricsDeps {
  readonly runtime: Runtime;
  readonly kinds: readonly Pick<AnyKind, "group" | "resource" | "storagePrefix">[];
}

/** The store, with every request to it counted under the names that dashboards know, whatever the engine is. Watches are not requests. */
export function measureStore(store: KeyValueStore, { runtime, kinds }: StoreMetricsDeps): KeyValueStore {
  const { metrics, ioClock: clock } = runtime;
  const labels = ["operation", "group", "resource"];
  const durations = metrics.histogram({
    name: "etcd_request_duration_seconds",
    help: "How long the store took to answer, in seconds.",
    labels,
    buckets,
    stability: "ALPHA",
  });
  const totals = metrics.counter({
    name: "etcd_requests_total",
    help: "Requests to the store.",
    labels,
    stability: "ALPHA",
  });
  const errors = metrics.counter({
    name: "etcd_request_errors_total",
    help: "Requests that the store failed to carry out.",
    labels,
    stability: "ALPHA",
  });
  const seriesOf = (operation: Operation, group: string, resource: string): Series => ({
    duration: durations.with(operation, group, resource),
    total: totals.with(operation, group, resource),
  });
  const byPrefix = new Map(
    kinds.map(({ group, resource, storagePrefix }) => [
      storagePrefix,
      { group, resource, series: new Map<Operation, Series>() },
    ]),
  );
  const other = { group: "", resource: "", series: new Map<Operation, Series>() };
  /** @param began when it was asked, by the clock */
  const counted = <T>(operation: Operation, key: string, began: number, answer: Promise<T>): Promise<T> => {
    const kind = findByPrefix(byPrefix, key) ?? other;
    let series = kind.series.get(operation);
    if (!series) kind.series.set(operation, (series = seriesOf(operation, kind.group, kind.resource)));
    const { duration, total } = series;
    const done = (): void => {
      duration.observe((clock.monotonic() - began) / 1000);
      total.add(1);
    };
    answer.then(done, () => {
      done();
      errors.with(operation, kind.group, kind.resource).add(1);
    });
    return answer;
  };
  return {
    ...passOn(store),
    get: (key, options) => counted("get", key, clock.monotonic(), store.get(key, options)),
    range: (query, signal) => counted("list", query.prefix, clock.monotonic(), store.range(query, signal)),
    put: (write, signal) =>
      counted(write.expected === 0 ? "create" : "update", write.key, clock.monotonic(), store.put(write, signal)),
    delete: (write, signal) => counted("delete", write.key, clock.monotonic(), store.delete(write, signal)),
    transaction(writes, signal) {
      const first = writes[0];
      if (!first || first.op === "check" || first.op === "check range") return store.transaction(writes, signal);
      return counted(
        first.op === "delete" ? "delete" : first.expected === 0 ? "create" : "update",
        first.key,
        clock.monotonic(),
        store.transaction(writes, signal),
      );
    },
  };
}
