/** How much users may rely on a metric; shown in front of its help, as upstream does. `none`: metrics of the runtime, which carry no mark. */
export type Stability = "STABLE" | "BETA" | "ALPHA" | "INTERNAL" | "none";

export interface MetricOptions {
  readonly name: string;
  /** One sentence, on one line. */
  readonly help: string;
  /** Their names, in the order in which `with` takes their values. @default none */
  readonly labels?: readonly string[];
  readonly stability: Stability;
}

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
