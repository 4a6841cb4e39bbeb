export type {
  Counter,
  CounterSeries,
  Gauge,
  GaugeSeries,
  Histogram,
  HistogramOptions,
  HistogramSeries,
  MetricOptions,
  Metrics,
  ReportValue,
  Stability,
} from "./metrics.js";
export { exponentialBuckets } from "./exponential-buckets.js";
export { noMetrics } from "./no-metrics.js";
