import type { Metrics } from "@coxswain/runtime/metrics";
import type { Availability } from "./plan-availability.js";

/** Counts APIServices that cannot be reached, under upstream's names. */
export interface AvailabilityMetrics {
  /** What a check has found. */
  found(name: string, availability: Availability): void;
  /** It was reachable before, and is not now. */
  lost(name: string, reason: string): void;
  forget(name: string): void;
}

export function createAvailabilityMetrics(metrics: Metrics): AvailabilityMetrics {
  const unavailable = new Map<string, boolean>();
  metrics.collectGauge(
    {
      name: "aggregator_unavailable_apiservice",
      help: "Whether an APIService cannot be reached: 1 for one that cannot.",
      labels: ["name"],
      stability: "ALPHA",
    },
    (report) => {
      for (const [name, isUnavailable] of unavailable) report(isUnavailable ? 1 : 0, name);
    },
  );
  const total = metrics.counter({
    name: "aggregator_unavailable_apiservice_total",
    help: "How often an APIService ceased to be reachable, by why.",
    labels: ["name", "reason"],
    stability: "ALPHA",
  });
  return {
    found: (name, { status }) => void unavailable.set(name, status !== "True"),
    lost: (name, reason) => total.with(name, reason).add(1),
    forget: (name) => void unavailable.delete(name),
  };
}
