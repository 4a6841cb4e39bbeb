export { createWorkQueue, type WorkQueue, type WorkQueueOptions } from "./work-queue.js";
export { createDelayingQueue, type DelayingQueue } from "./delaying-queue.js";
export {
  createRateLimitingQueue,
  type RateLimitingQueue,
  type RateLimitingQueueOptions,
} from "./rate-limiting-queue.js";
export { type AddOptions, createPriorityQueue, lowPriority, type PriorityQueue } from "./priority-queue.js";
export { runWorkers, type RunWorkersOptions, type WorkResult } from "./run-workers.js";
export type { QueueGauges, QueueMetrics, QueueMetricsProvider } from "./queue-metrics.js";
// The limiters of `rateLimiter`.
export { type RateLimiter } from "@coxswain/runtime/backoff";
export {
  createBucketLimiter,
  createControllerLimiter,
  createFastSlowLimiter,
  createItemBackoff,
  maxOfLimiters,
} from "@coxswain/runtime/backoff";
