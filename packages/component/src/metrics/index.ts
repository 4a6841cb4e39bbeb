export { Counter, CounterSeries } from "./counter.js";
export { Gauge, GaugeSeries, type ReportValue } from "./gauge.js";
export { exponentialBuckets, Histogram, type HistogramOptions, HistogramSeries } from "./histogram.js";
export type { Metric, MetricOptions, Stability } from "./metric.js";
export { createMetrics, type Metrics, metricsContentType } from "./metrics.js";
export { metricsProtobufType } from "./protobuf.js";
export { addProcessMetrics } from "./process-metrics.js";
export { createQueueMetrics } from "./queue-metrics.js";
