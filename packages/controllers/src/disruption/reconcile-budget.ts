import type { Pod } from "@coxswain/api/core/v1";
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from "@coxswain/api/policy/v1";
import { goSelectorText } from "@coxswain/apimachinery/selector";
import { isConflict } from "@coxswain/apimachinery/status";
import { quoteGo } from "@coxswain/apimachinery/text";
import { formatTime } from "@coxswain/apimachinery/time";
import type { Client } from "@coxswain/client";
import type { EventRecorder, EventType } from "@coxswain/client/events";
import { createLister, type ReadonlyIndexer } from "@coxswain/client/informers";
import type { WorkResult } from "@coxswain/client/queue";
import { selectorOf } from "../controller/object-facts.js";
import { messageOf, referenceOf } from "../pods/pod-control.js";
import type { CachedPod } from "../pods/pod-state.js";
import type { ExpectedScale } from "./expected-scale.js";
import {
  type CachedBudget,
  type CachedBudgetStatus,
  countHealthy,
  needsScale,
  planCounts,
  planDisrupted,
  planFailure,
  planStatus,
  staleIn,
} from "./plan.js";

const budgetKind = { group: "policy", version: "v1", kind: "PodDisruptionBudget" };
const podKind = { group: "", version: "v1", kind: "Pod" };

/** What the work on all budgets shares. */
export interface DisruptionWork {
  readonly client: Client;
  readonly recorder: EventRecorder;
  /** In milliseconds. */
  readonly now: () => number;
  readonly expectedScale: ExpectedScale;
  readonly budgets: ReadonlyIndexer<CachedBudget>;
  readonly pods: ReadonlyIndexer<CachedPod>;
}

/** The budgets whose selectors match the pod; an empty selector matches every pod. */
export function budgetsOf({ budgets, recorder }: DisruptionWork, pod: CachedPod): readonly CachedBudget[] {
  const { namespace = "", name = "", labels } = pod.metadata ?? {};
  const matching = createLister(budgets)
    .namespace(namespace)
    .list()
    .filter((budget) => selectorOf(budget).matches(labels));
  if (matching.length > 1) {
    const message = `Pod ${quoteGo(namespace)}/${quoteGo(name)} matches multiple PodDisruptionBudgets.  Chose ${quoteGo(matching[0]?.metadata?.name ?? "")} arbitrarily.`;
    recorder.event(referenceOf(pod, podKind), { type: "Warning", reason: "MultiplePodDisruptionBudgets", message });
  }
  return matching;
}

/** Counts the pods of a budget, and writes how many of them may be evicted. */
export async function reconcileBudget(work: DisruptionWork, key: string): Promise<WorkResult> {
  const budget = work.budgets.getByKey(key);
  if (!budget) return;
  try {
    return await sync(work, budget);
  } catch (error) {
    if (isConflict(error)) throw error;
    // What cannot be computed allows no eviction.
    await storeStatus(work, budget, planFailure(budget, messageOf(error), work.now()));
  }
}

async function sync(work: DisruptionWork, budget: CachedBudget): Promise<WorkResult> {
  const { namespace = "" } = budget.metadata ?? {};
  const matching = createLister(work.pods).namespace(namespace).list(selectorOf(budget));
  if (matching.length === 0) record(work, budget, "Normal", "NoPods", "No matching pods found");
  const counts = await countsOf(work, budget, matching);
  const now = work.now();
  const plan = planDisrupted(budget, matching, now);
  for (const pod of plan.notDeleted) {
    const message = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
    work.recorder.event(referenceOf(pod, podKind), { type: "Warning", reason: "NotDeleted", message });
  }
  const healthy = countHealthy(matching, plan);
  const status = planStatus(budget, { ...counts, healthy, disrupted: plan.disrupted, now });
  if (status) await storeStatus(work, budget, status);
  if (plan.recheckMs !== undefined) return { requeueAfterMs: plan.recheckMs + 1 };
}

async function countsOf(work: DisruptionWork, budget: CachedBudget, matching: readonly CachedPod[]) {
  try {
    if (!needsScale(budget)) return planCounts(budget, { pods: matching.length, scale: 0 });
    const { scale, unmanaged } = await work.expectedScale.sum(matching);
    if (unmanaged.length > 0) record(work, budget, "Warning", "UnmanagedPods", unmanagedMessage(budget));
    return planCounts(budget, { pods: matching.length, scale });
  } catch (error) {
    const message = `Failed to calculate the number of expected pods: ${messageOf(error)}`;
    record(work, budget, "Warning", "CalculateExpectedPodCountFailed", message);
    throw error;
  }
}

async function storeStatus(
  { client }: DisruptionWork,
  budget: CachedBudget,
  status: CachedBudgetStatus,
): Promise<void> {
  const object = { ...(budget as PodDisruptionBudget), status: status as PodDisruptionBudgetStatus };
  await client.policy.v1.poddisruptionbudgets(budget.metadata?.namespace ?? "").updateStatus(object);
}

/** A pod that was to be disrupted and still lives is no longer. */
export async function clearStale({ pods, now, client }: DisruptionWork, key: string): Promise<WorkResult> {
  const pod = pods.getByKey(key);
  const waitMs = pod && staleIn(pod, now());
  if (waitMs === undefined) return;
  if (waitMs > 0) return { requeueAfterMs: waitMs };
  const { namespace = "", generation } = pod?.metadata ?? {};
  const cleared = {
    type: "DisruptionTarget",
    status: "False" as const,
    ...(generation !== undefined && { observedGeneration: generation }),
    lastTransitionTime: formatTime(now()),
  };
  const conditions = (pod?.status?.conditions ?? []).map((other) => (other.type === cleared.type ? cleared : other));
  await client.core.v1
    .pods(namespace)
    .updateStatus({ ...(pod as Pod), status: { ...pod?.status, conditions } as NonNullable<Pod["status"]> });
}

const record = (
  { recorder }: DisruptionWork,
  budget: CachedBudget,
  type: EventType,
  reason: string,
  message: string,
): void => recorder.event(referenceOf(budget, budgetKind), { type, reason, message });

const unmanagedMessage = ({ spec }: CachedBudget): string =>
  `Pods selected by this PodDisruptionBudget (selector: ${goSelectorText(spec?.selector ?? {})}) were found to be unmanaged. ` +
  "As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. " +
  'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.';
