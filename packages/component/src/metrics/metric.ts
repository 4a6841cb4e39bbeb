import type { MetricOptions } from "@coxswain/runtime/metrics";

export type MetricType = "counter" | "gauge" | "histogram";

/** A line's worth: what follows the metric's name (such as `_sum`), the labels between the braces, and the value. */
export type WriteSample = (suffix: string, labels: string, value: number) => void;

/** What a registry needs to know of a metric. */
export interface Metric {
  readonly options: MetricOptions;
  readonly type: MetricType;
  /** In the order of the labels' values. Writes nothing while there is no series. */
  write(sample: WriteSample): void;
}
