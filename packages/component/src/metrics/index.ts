export { createMetrics, metricsContentType, type MetricsRegistry } from "./metrics.js";
export { metricsProtobufType } from "./protobuf.js";
export { addProcessMetrics } from "./process-metrics.js";
export { createQueueMetrics } from "./queue-metrics.js";
