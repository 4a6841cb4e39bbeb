import { exponentialBuckets, type Metrics } from "@coxswain/runtime/metrics";

export type Action = "scale_up" | "scale_down" | "none";
export type Failure = "spec" | "internal" | "none";

/** What the controller counts about itself, under upstream's names. */
export interface AutoscalerMetrics {
  reconciled(result: { action: Action; failure: Failure; seconds: number }): void;
  computed(result: { action: Action; failure: Failure; seconds: number; type: string }): void;
  desired(namespace: string, name: string, replicas: number): void;
}

export function createAutoscalerMetrics(metrics: Metrics, countAutoscalers: () => number): AutoscalerMetrics {
  const common = { stability: "BETA" as const };
  const name = (suffix: string): string => `horizontal_pod_autoscaler_controller_${suffix}`;
  const labels = ["action", "error"];
  const buckets = exponentialBuckets(0.001, 2, 15);
  const reconciliations = metrics.counter({
    ...common,
    name: name("reconciliations_total"),
    help: "Number of reconciliations, by what was done and by the kind of the first error.",
    labels,
  });
  const reconciliationSeconds = metrics.histogram({
    ...common,
    name: name("reconciliation_duration_seconds"),
    help: "How long a reconciliation takes.",
    labels,
    buckets,
  });
  const computations = metrics.counter({
    ...common,
    name: name("metric_computation_total"),
    help: "Number of computations of a metric, by its type.",
    labels: [...labels, "metric_type"],
  });
  const computationSeconds = metrics.histogram({
    ...common,
    name: name("metric_computation_duration_seconds"),
    help: "How long the computation of one metric takes.",
    labels: [...labels, "metric_type"],
    buckets,
  });
  const desired = metrics.gauge({
    name: name("desired_replicas"),
    help: "Current desired replica count for HPA objects.",
    stability: "ALPHA",
    labels: ["namespace", "hpa_name"],
  });
  metrics.collectGauge(
    {
      name: name("num_horizontal_pod_autoscalers"),
      help: "Current number of controlled HPA objects.",
      stability: "ALPHA",
    },
    (report) => report(countAutoscalers()),
  );
  return {
    reconciled({ action, failure, seconds }) {
      reconciliations.with(action, failure).add(1);
      reconciliationSeconds.with(action, failure).observe(seconds);
    },
    computed({ action, failure, seconds, type }) {
      computations.with(action, failure, type).add(1);
      computationSeconds.with(action, failure, type).observe(seconds);
    },
    desired: (namespace, autoscaler, replicas) => desired.with(namespace, autoscaler).set(replicas),
  };
}
