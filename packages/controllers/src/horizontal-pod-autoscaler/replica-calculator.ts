import { type CachedPod, isPodReady } from "../pods/pod-state.js";
import type { PodMetrics } from "../settings/metrics-source.js";
import { type GroupOptions, groupPods } from "./group-pods.js";

/** How far from the target usage may be, as a share of it, before something is done. */
export interface Tolerances {
  readonly up: number;
  readonly down: number;
}

const isWithin = ({ up, down }: Tolerances, ratio: number): boolean => 1 - down <= ratio && ratio <= 1 + up;

const maxReplicas = 2 ** 31 - 1;

export interface PodMetricInputs extends GroupOptions {
  readonly currentReplicas: number;
  readonly pods: readonly CachedPod[];
  readonly metrics: PodMetrics;
  readonly tolerances: Tolerances;
}

/** Usage against what pods ask for. */
export interface Utilization {
  readonly replicas: number;
  /** In percent. */
  readonly utilization: number;
  /** Per pod, in thousandths. */
  readonly average: number;
}

/**
 * Pure: so many pods that they use `target` percent of what they ask for.
 * @throws Error where that cannot be computed
 */
export function utilizationReplicas(
  inputs: PodMetricInputs,
  { target, requestsOf }: { readonly target: number; readonly requestsOf: () => ReadonlyMap<string, number> },
): Utilization {
  let requests: ReadonlyMap<string, number> = new Map();
  const { replicas, measured } = podReplicas(inputs, {
    prepare: () => void (requests = requestsOf()),
    measure(metrics) {
      let [used, asked, count] = [0, 0, 0];
      for (const [name, value] of metrics) {
        const request = requests.get(name);
        if (request === undefined) continue;
        used += value;
        asked += request;
        count++;
      }
      if (asked === 0) throw new Error("no metrics returned matched known pods");
      const utilization = Math.trunc((used * 100) / asked);
      return { ratio: utilization / target, utilization, average: Math.trunc(used / count) };
    },
    // When scaling down, a pod without a sample is taken to use all that it asks for, or the target where that is more.
    whenMissing: (name) => Math.trunc(((requests.get(name) ?? 0) * Math.max(100, target)) / 100),
  });
  return { replicas, utilization: measured.utilization, average: measured.average };
}

/** Pure: so many pods that each has `target` of the metric, in thousandths. */
export function averageReplicas(
  inputs: PodMetricInputs,
  target: number,
): { readonly replicas: number; readonly average: number } {
  const { replicas, measured } = podReplicas(inputs, {
    prepare: () => {},
    measure(metrics) {
      const average = Math.trunc([...metrics.values()].reduce((sum, value) => sum + value, 0) / metrics.size);
      return { ratio: average / target, average };
    },
    whenMissing: () => target,
  });
  return { replicas, average: measured.average };
}

interface Measure<M extends { readonly ratio: number }> {
  /** Called once it is known that there are metrics. */
  prepare(): void;
  /** `ratio`: of usage to target. */
  measure(metrics: ReadonlyMap<string, number>): M;
  /** What a pod without metrics is taken to use when scaling down. */
  whenMissing(name: string): number;
}

/** Pods without metrics and pods that are not ready are taken into account so that they only ever make the change smaller. */
function podReplicas<M extends { readonly ratio: number }>(
  inputs: PodMetricInputs,
  { prepare, measure, whenMissing }: Measure<M>,
): { readonly replicas: number; readonly measured: M } {
  const { currentReplicas, pods, tolerances } = inputs;
  if (pods.length === 0) throw new Error("no pods returned by selector while calculating replica count");
  const { ready, unready, missing, metrics } = groupPods(pods, inputs.metrics, inputs);
  if (metrics.size === 0) throw new Error("did not receive metrics for targeted pods (pods might be unready)");
  prepare();
  const values = new Map([...metrics].map(([name, { value }]) => [name, value]));
  const measured = measure(values);
  const { ratio } = measured;
  const stay = { replicas: currentReplicas, measured };
  const countsUnready = unready.length > 0 && ratio > 1;
  if (!countsUnready && missing.length === 0)
    return isWithin(tolerances, ratio) ? stay : { replicas: Math.ceil(ratio * ready), measured };

  if (ratio !== 1) for (const name of missing) values.set(name, ratio < 1 ? whenMissing(name) : 0);
  if (countsUnready) for (const name of unready) values.set(name, 0);
  const { ratio: cautious } = measure(values);
  const turnsAround = (ratio < 1 && cautious > 1) || (ratio > 1 && cautious < 1);
  if (isWithin(tolerances, cautious) || turnsAround) return stay;
  const replicas = Math.ceil(cautious * values.size);
  const isOpposite = (cautious < 1 && replicas > currentReplicas) || (cautious > 1 && replicas < currentReplicas);
  return isOpposite ? stay : { replicas, measured };
}

export interface ValueInputs {
  readonly currentReplicas: number;
  readonly pods: readonly CachedPod[];
  /** Both in thousandths. */
  readonly usage: number;
  readonly target: number;
  readonly tolerances: Tolerances;
}

/** Pure: so many pods that one value, of an object or from outside, comes to the target. */
export function valueReplicas({ currentReplicas, pods, usage, target, tolerances }: ValueInputs): number {
  const ratio = usage / target;
  // From zero there are no pods to compare with.
  if (currentReplicas === 0) return Math.ceil(ratio);
  if (isWithin(tolerances, ratio)) return currentReplicas;
  if (pods.length === 0)
    throw new Error("unable to calculate ready pods: no pods returned by selector while calculating replica count");
  const ready = pods.filter((pod) => pod.status?.phase === "Running" && isPodReady(pod)).length;
  return Math.min(maxReplicas, Math.ceil(ratio * ready));
}

/** Pure: so many pods that each has `target` of one value. */
export function perPodReplicas({
  statusReplicas,
  usage,
  target,
  tolerances,
}: Omit<ValueInputs, "currentReplicas" | "pods"> & { readonly statusReplicas: number }): {
  readonly replicas: number;
  readonly average: number;
} {
  const isEnough = isWithin(tolerances, usage / (target * statusReplicas));
  const replicas = isEnough ? statusReplicas : Math.min(maxReplicas, Math.ceil(usage / target));
  // With no pods at all there is no average.
  return { replicas, average: statusReplicas === 0 ? usage : Math.ceil(usage / statusReplicas) };
}
