import type { Gauge as GaugeContract, MetricOptions, ReportValue } from "@coxswain/runtime/metrics";
import { Children } from "./children.js";
import type { Metric, WriteSample } from "./metric.js";

/** One series of a gauge. */
export class GaugeSeries {
  value = 0;

  set(value: number): void {
    this.value = value;
  }

  add(amount: number): void {
    this.value += amount;
  }
}

/** Goes up and down. */
export class Gauge implements Metric, GaugeContract {
  readonly type = "gauge";
  readonly options: MetricOptions;
  readonly #children: Children<GaugeSeries>;

  constructor(options: MetricOptions) {
    this.options = options;
    this.#children = new Children(options.labels ?? [], () => new GaugeSeries());
  }

  /** Keep what this returns where you count often. */
  with(...values: readonly string[]): GaugeSeries {
    return this.#children.with(values);
  }

  write(sample: WriteSample): void {
    for (const { text, child } of this.#children.each()) sample("", text, child.value);
  }
}

/** Is looked up when somebody asks: for what something else keeps count of anyway. */
export class CollectedMetric implements Metric {
  readonly type: "gauge" | "counter";
  readonly options: MetricOptions;
  readonly #collect: (report: ReportValue) => void;

  constructor(type: "gauge" | "counter", options: MetricOptions, collect: (report: ReportValue) => void) {
    this.type = type;
    this.options = options;
    this.#collect = collect;
  }

  write(sample: WriteSample): void {
    const labels = this.options.labels ?? [];
    const series = new Children(labels, () => new GaugeSeries());
    if (labels.length === 0) series.clear(); // What cannot be found out is left out rather than reported as zero.
    this.#collect((value, ...values) => series.with(values).set(value));
    for (const { text, child } of series.each()) sample("", text, child.value);
  }
}
