import type { HistogramSeries, Metrics } from "@coxswain/runtime/metrics";
import type { AdmissionMetrics, ObserveAdmission } from "../../admission/admission.js";

const buckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5];

/** How long admission takes, as a whole and plugin by plugin. The series are found once, when the plugins are put together. */
export function createAdmissionMetrics(metrics: Metrics, now: () => number): AdmissionMetrics {
  const steps = metrics.histogram({
    name: "apiserver_admission_step_admission_duration_seconds",
    help: "How long all plugins together took in one of the two passes, in seconds.",
    labels: ["type", "operation", "rejected"],
    buckets,
    stability: "STABLE",
  });
  const controllers = metrics.histogram({
    name: "apiserver_admission_controller_admission_duration_seconds",
    help: "How long an admission plugin took, in seconds.",
    labels: ["name", "type", "operation", "rejected"],
    buckets,
    stability: "STABLE",
  });
  const observer = (series: (rejected: string) => HistogramSeries): ObserveAdmission => {
    // Made when they are first needed: a scrape shows only what has happened.
    const pair: HistogramSeries[] = [];
    return (ms, rejected) => (pair[rejected ? 1 : 0] ??= series(String(rejected))).observe(ms / 1000);
  };
  return {
    now,
    ofStep: (type, operation) => observer((rejected) => steps.with(type, operation, rejected)),
    ofPlugin: (name, type, operation) => observer((rejected) => controllers.with(name, type, operation, rejected)),
  };
}
