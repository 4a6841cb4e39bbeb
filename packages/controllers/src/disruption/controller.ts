import type { Pod } from "@coxswain/api/core/v1";
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from "@coxswain/api/policy/v1";
import { goSelectorText } from "@coxswain/apimachinery/selector";
import { isConflict } from "@coxswain/apimachinery/status";
import { quoteGo } from "@coxswain/apimachinery/text";
import { formatTime } from "@coxswain/apimachinery/time";
import type { EventType } from "@coxswain/client/events";
import { createLister, keyOf } from "@coxswain/client/informers";
import type { WorkResult } from "@coxswain/client/queue";
import type { Controller } from "../controller/controller.js";
import { selectorOf } from "../controller/object-facts.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { messageOf, referenceOf } from "../pods/pod-control.js";
import type { CachedPod } from "../pods/pod-state.js";
import { createExpectedScale } from "./expected-scale.js";
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

/** Computes how many pods of each budget may be evicted. */
export const disruptionController: Controller = {
  name: "disruption-controller",
  aliases: ["disruption"],
  serviceAccount: "disruption-controller",
  start(context) {
    const { client, informers, runtime } = context;
    const budgets = informers.of("policy", "v1", "poddisruptionbudgets");
    const pods = informers.of("core", "v1", "pods");
    const expectedScale = createExpectedScale(client, informers);
    const recorder = context.recorder("controllermanager");
    const record = (budget: CachedBudget, type: EventType, reason: string, message: string): void =>
      recorder.event(referenceOf(budget, budgetKind), { type, reason, message });

    const loop = createReconcileLoop(context, { name: "disruption", workers: 1, reconcile });
    const stale = createReconcileLoop(context, { name: "stale_pod_disruption", workers: 1, reconcile: clearStale });
    loop.watch(budgets);
    loop.watchFor(pods, (pod) => budgetsOf(pod).map(keyOf));
    stale.watchFor(pods, (pod) => (staleIn(pod, runtime.clock.now()) === undefined ? [] : [keyOf(pod)]));

    function budgetsOf(pod: CachedPod): readonly CachedBudget[] {
      const { namespace = "", name = "", labels } = pod.metadata ?? {};
      const matching = createLister(budgets.indexer)
        .namespace(namespace)
        .list()
        .filter((budget) => selectorOf(budget).matches(labels));
      if (matching.length > 1) {
        const message = `Pod ${quoteGo(namespace)}/${quoteGo(name)} matches multiple PodDisruptionBudgets.  Chose ${quoteGo(matching[0]?.metadata?.name ?? "")} arbitrarily.`;
        recorder.event(referenceOf(pod, podKind), { type: "Warning", reason: "MultiplePodDisruptionBudgets", message });
      }
      return matching;
    }

    async function reconcile(key: string): Promise<WorkResult> {
      const budget = budgets.indexer.getByKey(key);
      if (!budget) return;
      try {
        return await sync(budget);
      } catch (error) {
        if (isConflict(error)) throw error;
        // What cannot be computed allows no eviction.
        await storeStatus(budget, planFailure(budget, messageOf(error), runtime.clock.now()));
      }
    }

    async function sync(budget: CachedBudget): Promise<WorkResult> {
      const { namespace = "" } = budget.metadata ?? {};
      const matching = createLister(pods.indexer).namespace(namespace).list(selectorOf(budget));
      if (matching.length === 0) record(budget, "Normal", "NoPods", "No matching pods found");
      const counts = await countsOf(budget, matching);
      const now = runtime.clock.now();
      const plan = planDisrupted(budget, matching, now);
      for (const pod of plan.notDeleted) {
        const message = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
        recorder.event(referenceOf(pod, podKind), { type: "Warning", reason: "NotDeleted", message });
      }
      const healthy = countHealthy(matching, plan);
      const status = planStatus(budget, { ...counts, healthy, disrupted: plan.disrupted, now });
      if (status) await storeStatus(budget, status);
      if (plan.recheckMs !== undefined) return { requeueAfterMs: plan.recheckMs + 1 };
    }

    async function countsOf(budget: CachedBudget, matching: readonly CachedPod[]) {
      try {
        if (!needsScale(budget)) return planCounts(budget, { pods: matching.length, scale: 0 });
        const { scale, unmanaged } = await expectedScale.sum(matching);
        if (unmanaged.length > 0) record(budget, "Warning", "UnmanagedPods", unmanagedMessage(budget));
        return planCounts(budget, { pods: matching.length, scale });
      } catch (error) {
        const message = `Failed to calculate the number of expected pods: ${messageOf(error)}`;
        record(budget, "Warning", "CalculateExpectedPodCountFailed", message);
        throw error;
      }
    }

    async function storeStatus(budget: CachedBudget, status: CachedBudgetStatus): Promise<void> {
      const object = { ...(budget as PodDisruptionBudget), status: status as PodDisruptionBudgetStatus };
      await client.policy.v1.poddisruptionbudgets(budget.metadata?.namespace ?? "").updateStatus(object);
    }

    /** A pod that was to be disrupted and still lives is no longer. */
    async function clearStale(key: string): Promise<WorkResult> {
      const pod = pods.indexer.getByKey(key);
      const waitMs = pod && staleIn(pod, runtime.clock.now());
      if (waitMs === undefined) return;
      if (waitMs > 0) return { requeueAfterMs: waitMs };
      const { namespace = "", generation } = pod?.metadata ?? {};
      const cleared = {
        type: "DisruptionTarget",
        status: "False" as const,
        ...(generation !== undefined && { observedGeneration: generation }),
        lastTransitionTime: formatTime(runtime.clock.now()),
      };
      const conditions = (pod?.status?.conditions ?? []).map((other) =>
        other.type === cleared.type ? cleared : other,
      );
      await client.core.v1
        .pods(namespace)
        .updateStatus({ ...(pod as Pod), status: { ...pod?.status, conditions } as NonNullable<Pod["status"]> });
    }

    return {
      run() {
        loop.run();
        stale.run();
      },
      async stop() {
        await Promise.all([loop.stop(), stale.stop()]);
      },
    };
  },
};

/** An empty selector matches every pod. */

const unmanagedMessage = ({ spec }: CachedBudget): string =>
  `Pods selected by this PodDisruptionBudget (selector: ${goSelectorText(spec?.selector ?? {})}) were found to be unmanaged. ` +
  "As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. " +
  'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.';
