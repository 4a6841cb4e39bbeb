import type { DeepReadonly } from "@coxswain/api";
import type { Condition } from "@coxswain/api/meta/v1";
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from "@coxswain/api/policy/v1";
import { scaledValue } from "@coxswain/apimachinery/int-or-string";
import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn, setOwn } from "@coxswain/apimachinery/own";
import { formatTime, parseTimeMs } from "@coxswain/apimachinery/time";
import { type CachedPod, isBeingDeleted, isPodReady, isPodTerminal, podCondition } from "../pods/pod-state.js";

export type CachedBudget = DeepReadonly<PodDisruptionBudget>;
export type CachedBudgetStatus = DeepReadonly<PodDisruptionBudgetStatus>;

/** A pod whose eviction was allowed counts as unhealthy for so long, in milliseconds; if it is not deleted by then, it will not be. */
const deletionTimeoutMs = 120_000;
/** A pod with the condition DisruptionTarget that is not deleted within this time is not disrupted. */
const staleConditionMs = 120_000;

/** Whether the budget needs to know how many pods their controllers should have, and not only how many there are. */
export const needsScale = ({ spec }: CachedBudget): boolean =>
  spec?.maxUnavailable !== undefined || typeof spec?.minAvailable === "string";

/**
 * Pure: how many pods should be there, and how many of them healthy. `scale`: the sum of what their controllers should have.
 * @throws IntOrStringError
 */
export function planCounts(
  { spec }: CachedBudget,
  { pods, scale }: { readonly pods: number; readonly scale: number },
): { readonly expected: number; readonly desiredHealthy: number } {
  const { maxUnavailable, minAvailable } = spec ?? {};
  if (maxUnavailable !== undefined) {
    const unavailable = scaledValue(maxUnavailable, { total: scale, round: "up" });
    return { expected: scale, desiredHealthy: Math.max(0, scale - unavailable) };
  }
  if (minAvailable === undefined) return { expected: 0, desiredHealthy: 0 };
  if (typeof minAvailable === "number") return { expected: pods, desiredHealthy: minAvailable };
  return { expected: scale, desiredHealthy: scaledValue(minAvailable, { total: scale, round: "up" }) };
}

/** What became of pods whose eviction was allowed. */
export interface DisruptedPlan {
  /** By name, those that are still to be deleted, and since when. */
  readonly disrupted: Readonly<Record<string, string>>;
  /** Those that should have been and were not. */
  readonly notDeleted: readonly CachedPod[];
  /** In how many milliseconds to look again. */
  readonly recheckMs: number | undefined;
}

/** Pure. */
export function planDisrupted({ status }: CachedBudget, pods: readonly CachedPod[], now: number): DisruptedPlan {
  const disrupted: Record<string, string> = {};
  const notDeleted: CachedPod[] = [];
  let recheckMs: number | undefined;
  for (const pod of pods) {
    const name = pod.metadata?.name ?? "";
    const since = getOwn(status?.disruptedPods, name);
    if (since === undefined || isBeingDeleted(pod)) continue;
    const waitMs = (parseTimeMs(since) ?? 0) + deletionTimeoutMs - now;
    if (waitMs < 0) notDeleted.push(pod);
    else {
      setOwn(disrupted, name, since);
      recheckMs = Math.min(recheckMs ?? waitMs, waitMs);
    }
  }
  return { disrupted, notDeleted, recheckMs };
}

/** Pure: ready pods that are not going. */
export const countHealthy = (pods: readonly CachedPod[], { disrupted }: DisruptedPlan): number =>
  pods.filter(
    (pod) => !isBeingDeleted(pod) && isPodReady(pod) && getOwn(disrupted, pod.metadata?.name ?? "") === undefined,
  ).length;

export interface StatusInputs {
  readonly expected: number;
  readonly desiredHealthy: number;
  readonly healthy: number;
  readonly disrupted: Readonly<Record<string, string>>;
  /** In milliseconds. */
  readonly now: number;
}

/** Pure: the status that the budget should have; undefined: it has it. */
export function planStatus(budget: CachedBudget, inputs: StatusInputs): CachedBudgetStatus | undefined {
  const { expected, desiredHealthy, healthy, disrupted, now } = inputs;
  const before = budget.status;
  const generation = budget.metadata?.generation ?? 0;
  // A budget without pods allows nothing: the first ones may come before this is computed anew.
  const allowed = expected > 0 ? Math.max(0, healthy - desiredHealthy) : 0;
  const condition: BudgetCondition =
    allowed > 0 ? { status: "True", reason: "SufficientPods" } : { status: "False", reason: "InsufficientPods" };
  const known = before?.conditions?.find(({ type }) => type === "DisruptionAllowed");
  const isSame =
    before !== undefined &&
    (before.currentHealthy ?? 0) === healthy &&
    (before.desiredHealthy ?? 0) === desiredHealthy &&
    (before.expectedPods ?? 0) === expected &&
    (before.disruptionsAllowed ?? 0) === allowed &&
    equalJson(before.disruptedPods ?? {}, disrupted) &&
    before.observedGeneration === generation &&
    known?.status === condition.status &&
    known.reason === condition.reason;
  if (isSame) return undefined;
  return {
    currentHealthy: healthy,
    desiredHealthy,
    expectedPods: expected,
    disruptionsAllowed: allowed,
    ...(Object.keys(disrupted).length > 0 && { disruptedPods: disrupted }),
    observedGeneration: generation,
    conditions: withCondition(before?.conditions ?? [], { ...condition, observedGeneration: generation }, now),
  };
}

/** Pure: the status of a budget that could not be computed: it allows nothing. */
export function planFailure({ status }: CachedBudget, message: string, now: number): CachedBudgetStatus {
  const { observedGeneration } = status ?? {};
  return {
    currentHealthy: 0,
    desiredHealthy: 0,
    expectedPods: 0,
    ...status,
    disruptionsAllowed: 0,
    conditions: withCondition(
      status?.conditions ?? [],
      { status: "False", reason: "SyncFailed", message, ...(observedGeneration && { observedGeneration }) },
      now,
    ),
  };
}

type CachedCondition = DeepReadonly<Condition>;
type BudgetCondition = Pick<CachedCondition, "status" | "reason"> & Partial<CachedCondition>;

/** With the condition DisruptionAllowed as it should be, since when it is. */
function withCondition(
  conditions: readonly CachedCondition[],
  wanted: BudgetCondition,
  now: number,
): CachedCondition[] {
  const before = conditions.find(({ type }) => type === "DisruptionAllowed");
  const next: CachedCondition = {
    type: "DisruptionAllowed",
    message: "",
    lastTransitionTime: before?.status === wanted.status ? before.lastTransitionTime : formatTime(now),
    ...wanted,
  };
  return before ? conditions.map((other) => (other === before ? next : other)) : [...conditions, next];
}

/** Pure: in how many milliseconds the pod's condition DisruptionTarget is stale; undefined: it is none that could become so. */
export function staleIn(pod: CachedPod, now: number): number | undefined {
  const condition = podCondition(pod, "DisruptionTarget");
  // Where a kubelet terminates a pod, its deletion may take any time.
  if (condition?.status !== "True" || condition.reason === "TerminationByKubelet") return undefined;
  if (isBeingDeleted(pod) || isPodTerminal(pod)) return undefined;
  return Math.max(0, (parseTimeMs(condition.lastTransitionTime ?? "") ?? 0) + staleConditionMs - now);
}
