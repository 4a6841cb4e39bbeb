/**
 * Where a queue reports what it does. The names of upstream's metrics are given for each; all carry the label `name`.
 */
export interface QueueMetrics {
  /** workqueue_depth: how many items wait. */
  depth(size: number): void;
  /** workqueue_adds_total */
  added(): void;
  /** workqueue_retries_total */
  retried(): void;
  /** workqueue_queue_duration_seconds: how long an item waited. */
  waited(seconds: number): void;
  /** workqueue_work_duration_seconds: how long it was worked on. */
  worked(seconds: number): void;
}

/** What is only known at the moment of reading: a gauge asks for it when it is collected, so that an idle queue costs nothing. */
export interface QueueGauges {
  /** workqueue_unfinished_work_seconds: the sum over the items that are being worked on. */
  unfinishedWorkSeconds(): number;
  /** workqueue_longest_running_processor_seconds */
  longestRunningProcessorSeconds(): number;
}

/** Called once for each named queue. */
export type QueueMetricsProvider = (name: string, gauges: QueueGauges) => QueueMetrics;

export const noQueueMetrics: QueueMetrics = {
  depth() {},
  added() {},
  retried() {},
  waited() {},
  worked() {},
};
