import type { MetricOptions, Metrics, ReportValue, Stability } from "@coxswain/runtime/metrics";
import { Counter } from "./counter.js";
import { CollectedMetric, Gauge } from "./gauge.js";
import { Histogram } from "./histogram.js";
import type { Metric } from "./metric.js";
import { numberText } from "./number-text.js";
import { familyBytes } from "./protobuf.js";

/** The metrics of a program, and how they are read. */
export interface MetricsRegistry extends Metrics {
  /** In Prometheus' text format, sorted by name. */
  text(): string;
  /** The same in its protobuf format, delimited. */
  protobuf(): Uint8Array[];
  /** Of those that are registered, whether or not they have a series. */
  names(): string[];
}

export const metricsContentType = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";

export interface MetricsOptions {
  /** Whether to report how many metrics there are. @default true */
  readonly countItself?: boolean;
}

export function createMetrics({ countItself = true }: MetricsOptions = {}): MetricsRegistry {
  const all = new Map<string, Metric>();
  const add = <M extends Metric>(metric: M): M => {
    const { name } = metric.options;
    if (all.has(name)) throw new Error(`there is a metric ${name} already`);
    all.set(name, metric);
    return metric;
  };
  const collectCounter = (options: MetricOptions, collect: (report: ReportValue) => void): void =>
    void add(new CollectedMetric("counter", options, collect));
  if (countItself)
    collectCounter(
      {
        name: "registered_metrics_total",
        help: "How many metrics this program has, by their stability.",
        stability: "BETA",
        labels: ["stability_level", "deprecated_version"],
      },
      (report) => {
        for (const [level, count] of countByStability(all.values())) report(count, level, "");
      },
    );
  const sorted = (): Metric[] => [...all.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, metric]) => metric);
  return {
    counter: (options) => add(new Counter(options)),
    gauge: (options) => add(new Gauge(options)),
    histogram: (options) => add(new Histogram(options)),
    collectGauge: (options, collect) => void add(new CollectedMetric("gauge", options, collect)),
    collectCounter,
    names: () => [...all.keys()].sort(),
    text: () => sorted().map(familyText).join(""),
    protobuf: () => sorted().map((metric) => familyBytes(metric, helpOf(metric))),
  };
}

function countByStability(metrics: Iterable<Metric>): Map<Stability, number> {
  const counts = new Map<Stability, number>();
  for (const { options } of metrics)
    if (options.stability !== "none") counts.set(options.stability, (counts.get(options.stability) ?? 0) + 1);
  return counts;
}

/** A metric without a series is left out. */
function familyText(metric: Metric): string {
  const { name } = metric.options;
  let lines = "";
  metric.write((suffix, labels, value) => {
    lines +=
      labels === "" ? `${name}${suffix} ${numberText(value)}\n` : `${name}${suffix}{${labels}} ${numberText(value)}\n`;
  });
  return lines === "" ? "" : `# HELP ${name} ${helpOf(metric)}\n# TYPE ${name} ${metric.type}\n${lines}`;
}

const helpOf = ({ options: { help, stability } }: Metric): string =>
  `${stability === "none" ? "" : `[${stability}] `}${help}`;
