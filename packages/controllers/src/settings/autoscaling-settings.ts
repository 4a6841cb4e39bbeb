import type { MetricsSource } from "./metrics-source.js";

/** Settings of the --horizontal-pod-autoscaler-* flags. Durations are in milliseconds. */
export interface AutoscalingSettings {
  /** --horizontal-pod-autoscaler-sync-period. @default 15,000 */
  readonly autoscalerSyncPeriodMs?: number;
  /** --horizontal-pod-autoscaler-downscale-stabilization: targets are not scaled below what was recommended within it. @default 300,000 */
  readonly autoscalerDownscaleStabilizationMs?: number;
  /** --horizontal-pod-autoscaler-tolerance: how far from the target usage may be, as a share. @default 0.1 */
  readonly autoscalerTolerance?: number;
  /** --horizontal-pod-autoscaler-cpu-initialization-period: how long after a pod's start samples of its CPU may be skipped. @default 300,000 */
  readonly autoscalerCpuInitializationMs?: number;
  /** --horizontal-pod-autoscaler-initial-readiness-delay: changes of readiness within it count as the first one. @default 30,000 */
  readonly autoscalerInitialReadinessMs?: number;
  /** Where metrics come from. @default the metrics APIs of the cluster */
  readonly autoscalerMetrics?: MetricsSource;
}
