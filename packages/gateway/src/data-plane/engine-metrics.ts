import type { CounterSeries, HistogramSeries, Metrics } from "@coxswain/runtime/metrics";
import type { AccessLog } from "../engine/engine.js";
import type { ExchangeOutcome } from "../exchange/exchange-context.js";
import { accessEntry } from "./access-entry.js";
import type { EngineLoad } from "./engine-load.js";

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export interface EngineMetrics {
  onBackendFailure(kind: string): void;
  onOutcome(log: AccessLog | undefined): (outcome: ExchangeOutcome) => void;
}

/** What the data plane counts about itself. Labels are few: listeners, classes of statuses, kinds of failures. */
export function engineMetrics(metrics: Metrics, load: () => EngineLoad): EngineMetrics {
  const stability = "ALPHA";
  const requests = metrics.counter({
    name: "gateway_requests_total",
    help: "Requests by listener and class of their status; 0xx: the client left before.",
    labels: ["listener", "code"],
    stability,
  });
  const duration = metrics.histogram({
    name: "gateway_request_duration_seconds",
    help: "Seconds from a request's head to the end of its answer.",
    labels: ["listener"],
    buckets,
    stability,
  });
  const failures = metrics.counter({
    name: "gateway_backend_failures_total",
    help: "Attempts that backends did not answer, by what went wrong.",
    labels: ["kind"],
    stability,
  });
  const gauges = [
    ["gateway_connections", "Open connections of clients.", "connections"],
    ["gateway_backend_connections", "Open connections to backends.", "backendConnections"],
    ["gateway_backend_requests", "Requests that backends have not answered yet.", "backendRequests"],
    ["gateway_held_bytes", "Bytes of messages that wait for the slower side.", "heldBytes"],
  ] as const;
  for (const [name, help, member] of gauges)
    metrics.collectGauge({ name, help, stability }, (report) => report(load()[member]));
  const seriesOf = keepSeries((listener) => ({ byClass: [], duration: duration.with(listener) }));
  return {
    onBackendFailure: (kind) => failures.of(kind).add(1),
    onOutcome: (log) => (outcome) => {
      const { listener, end, ms } = outcome;
      const series = seriesOf(listener);
      const statusClass = Math.floor(end.status / 100);
      (series.byClass[statusClass] ??= requests.with(listener, `${statusClass}xx`)).add(1);
      series.duration.observe(ms / 1000);
      log?.(accessEntry(outcome));
    },
  };
}

interface ListenerSeries {
  readonly byClass: CounterSeries[];
  readonly duration: HistogramSeries;
}

/** Looking them up anew costs as much as a tenth of a request. */
function keepSeries(make: (listener: string) => ListenerSeries): (listener: string) => ListenerSeries {
  const known = new Map<string, ListenerSeries>();
  return (listener) => {
    const there = known.get(listener);
    if (there) return there;
    const made = make(listener);
    known.set(listener, made);
    return made;
  };
}
