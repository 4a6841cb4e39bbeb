import { exponentialBuckets, type Metrics } from "@coxswain/runtime/metrics";
import type { SchedulingQueue } from "../queue/scheduling-queue.js";

export type AttemptResult = "scheduled" | "unschedulable" | "error";

/** What the scheduler counts and measures, under upstream's names (pkg/scheduler/metrics/metrics.go). */
export interface SchedulerMetrics {
  /** One attempt; `seconds` from taking the pod to its binding or failure. */
  attempt(result: AttemptResult, profile: string, seconds: number): void;
  /** From taking the pod to a node or none. */
  algorithm(seconds: number): void;
  /** A pod was bound after so many attempts; `seconds` since it was first ready to be tried. */
  scheduled(attempts: number, seconds: number): void;
  incoming(queue: string, event: string): void;
  preemption(victims: number): void;
  /** All plugins of an extension point together; `status`: their code, or Success. */
  extensionPoint(point: string, status: string, profile: string, seconds: number): void;
}

export interface ObservedScheduler {
  sizes(): SchedulingQueue["sizes"];
  cacheSizes(): { readonly nodes: number; readonly pods: number; readonly assumed: number };
}

/** Registers them with `metrics`. */
export function createSchedulerMetrics(metrics: Metrics, observed: ObservedScheduler): SchedulerMetrics {
  const attempts = metrics.counter({
    name: "scheduler_schedule_attempts_total",
    help: "Number of attempts to schedule pods, by the result. 'unschedulable' means a pod could not be scheduled, while 'error' means an internal scheduler problem.",
    labels: ["profile", "result"],
    stability: "STABLE",
  });
  const attemptDuration = metrics.histogram({
    name: "scheduler_scheduling_attempt_duration_seconds",
    help: "Scheduling attempt latency in seconds (scheduling algorithm + binding)",
    labels: ["profile", "result"],
    buckets: exponentialBuckets(0.001, 2, 15),
    stability: "STABLE",
  });
  const algorithmDuration = metrics.histogram({
    name: "scheduler_scheduling_algorithm_duration_seconds",
    help: "Scheduling algorithm latency in seconds",
    buckets: exponentialBuckets(0.001, 2, 15),
    stability: "ALPHA",
  });
  const podAttempts = metrics.histogram({
    name: "scheduler_pod_scheduling_attempts",
    help: "Number of attempts to successfully schedule a pod.",
    buckets: exponentialBuckets(1, 2, 5),
    stability: "STABLE",
  });
  const podDuration = metrics.histogram({
    name: "scheduler_pod_scheduling_sli_duration_seconds",
    help: "E2e latency for a pod being scheduled, from the time the pod enters the scheduling queue and might involve multiple scheduling attempts.",
    labels: ["attempts"],
    buckets: exponentialBuckets(0.01, 2, 20),
    stability: "BETA",
  });
  const extensionPoints = metrics.histogram({
    name: "scheduler_framework_extension_point_duration_seconds",
    help: "Latency for running all plugins of a specific extension point.",
    labels: ["extension_point", "status", "profile"],
    buckets: exponentialBuckets(0.0001, 2, 12),
    stability: "STABLE",
  });
  const incoming = metrics.counter({
    name: "scheduler_queue_incoming_pods_total",
    help: "Number of pods added to scheduling queues by event and queue type.",
    labels: ["event", "queue"],
    stability: "STABLE",
  });
  const preemptions = metrics.counter({
    name: "scheduler_preemption_attempts_total",
    help: "Total preemption attempts in the cluster till now",
    stability: "STABLE",
  });
  const victims = metrics.histogram({
    name: "scheduler_preemption_victims",
    help: "Number of selected preemption victims",
    buckets: exponentialBuckets(1, 2, 7),
    stability: "STABLE",
  });
  collectSizes(metrics, observed);
  return {
    attempt(result, profile, seconds) {
      attempts.with(profile, result).add(1);
      attemptDuration.with(profile, result).observe(seconds);
    },
    algorithm: (seconds) => algorithmDuration.with().observe(seconds),
    scheduled(count, seconds) {
      podAttempts.with().observe(count);
      podDuration.with(count >= 15 ? "15+" : String(count)).observe(seconds);
    },
    extensionPoint: (point, status, profile, seconds) => extensionPoints.with(point, status, profile).observe(seconds),
    incoming: (queue, event) => incoming.with(event, queue).add(1),
    preemption(count) {
      preemptions.with().add(1);
      if (count > 0) victims.with().observe(count);
    },
  };
}

function collectSizes(metrics: Metrics, observed: ObservedScheduler): void {
  metrics.collectGauge(
    {
      name: "scheduler_pending_pods",
      help: "Number of pending pods, by the queue type. 'active' means number of pods in activeQ; 'backoff' means number of pods in backoffQ; 'unschedulable' means number of pods in unschedulablePods that the scheduler attempted to schedule and failed; 'gated' is the number of unschedulable pods that the scheduler never attempted to schedule because they are gated.",
      labels: ["queue"],
      stability: "STABLE",
    },
    (report) => {
      for (const [queue, size] of Object.entries(observed.sizes())) report(size, queue);
    },
  );
  metrics.collectGauge(
    {
      name: "scheduler_scheduler_cache_size",
      help: "Number of nodes, pods, and assumed (bound) pods in the scheduler cache.",
      labels: ["type"],
      stability: "ALPHA",
    },
    (report) => {
      const { nodes, pods, assumed } = observed.cacheSizes();
      report(assumed, "assumed_pods");
      report(nodes, "nodes");
      report(pods, "pods");
    },
  );
}
