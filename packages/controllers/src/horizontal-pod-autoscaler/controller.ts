import type { Scale } from "@coxswain/api/autoscaling/v1";
import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerStatus } from "@coxswain/api/autoscaling/v2";
import { equalJson } from "@coxswain/apimachinery/json";
import { groupVersionError, type GroupVersionResource, parseGroupVersion } from "@coxswain/apimachinery/meta";
import { formatTime } from "@coxswain/apimachinery/time";
import type { EventType } from "@coxswain/client/events";
import { createLister, keyOf } from "@coxswain/client/informers";
import type { WorkResult } from "@coxswain/client/queue";
import { retryOnConflict } from "@coxswain/client/retry";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { messageOf, referenceOf } from "../pods/pod-control.js";
import { askMetrics, judgeAnswers } from "./ask-metrics.js";
import { type Action, createAutoscalerMetrics, type Failure } from "./autoscaler-metrics.js";
import { createControllingAutoscalers } from "./controlling-autoscalers.js";
import {
  type CachedMetricStatus,
  MetricError,
  type Proposal,
  type ProposalInputs,
  tolerancesOf,
} from "./metric-proposals.js";
import { createMetricsApis } from "./metrics-apis.js";
import { type CachedAutoscaler, type CachedCondition, type Finding, planReplicas, withFindings } from "./plan.js";
import { TargetPodsError, targetPods } from "./target-pods.js";
import { newHistory, recordScale, type ScaleHistory } from "./scale-history.js";

const kind = { group: "autoscaling", version: "v2", kind: "HorizontalPodAutoscaler" };

/** Scales the targets of HorizontalPodAutoscalers by their metrics. */
export const horizontalPodAutoscalerController: Controller = {
  name: "horizontal-pod-autoscaler-controller",
  aliases: ["horizontalpodautoscaling"],
  serviceAccount: "horizontal-pod-autoscaler",
  start(context) {
    const { client, informers, gates, settings } = context;
    const { clock, log } = context.runtime;
    const {
      autoscalerSyncPeriodMs: syncPeriodMs = 15_000,
      autoscalerDownscaleStabilizationMs: downscaleWindowMs = 300_000,
      autoscalerTolerance: tolerance = 0.1,
      autoscalerCpuInitializationMs: cpuInitializationMs = 300_000,
      autoscalerInitialReadinessMs: initialReadinessMs = 30_000,
      autoscalerMetrics: source = createMetricsApis(client),
    } = settings;
    const autoscalers = informers.of("autoscaling", "v2", "horizontalpodautoscalers");
    const pods = informers.of("core", "v1", "pods");
    const recorder = context.recorder("horizontal-pod-autoscaler");
    const metrics = createAutoscalerMetrics(context.runtime.metrics, () => autoscalers.indexer.list().length);
    const controlling = createControllingAutoscalers();
    const histories = new Map<string, ScaleHistory>();
    const record = (autoscaler: CachedAutoscaler, type: EventType, reason: string, message: string): void =>
      recorder.event(referenceOf(autoscaler, kind), { type, reason, message });

    const loop = createReconcileLoop(context, {
      name: "horizontalpodautoscaler",
      workers: settings.concurrency?.["horizontal-pod-autoscaler-controller"] ?? 5,
      reconcile,
    });
    // Metrics are no events: each autoscaler is looked at once per period, and not sooner when it changes.
    const wake = (autoscaler: CachedAutoscaler): void => loop.queue.addAfter(keyOf(autoscaler), syncPeriodMs);
    loop.handle(autoscalers, {
      onAdd: wake,
      onUpdate: (_, autoscaler) => wake(autoscaler),
      onDelete(autoscaler) {
        controlling.forget(keyOf(autoscaler));
        histories.delete(keyOf(autoscaler));
      },
    });

    async function reconcile(key: string): Promise<WorkResult> {
      const autoscaler = autoscalers.indexer.getByKey(key);
      if (!autoscaler) return;
      const since = clock.monotonic();
      const draft: Draft = { conditions: autoscaler.status?.conditions ?? [], action: "none", failure: "none" };
      try {
        await autoscale(key, autoscaler, draft);
      } catch (error) {
        if (draft.failure === "none") draft.failure = "internal";
        log.warn("an autoscaler failed and is looked at again in the next period", { autoscaler: key, error });
      }
      const { action, failure } = draft;
      metrics.reconciled({ action, failure, seconds: (clock.monotonic() - since) / 1000 });
      return { requeueAfterMs: syncPeriodMs };
    }

    async function autoscale(key: string, autoscaler: CachedAutoscaler, draft: Draft): Promise<void> {
      const target = await findTarget(autoscaler, draft);
      const current = target.scale.spec?.replicas ?? 0;
      const history = histories.get(key) ?? newHistory(current, clock.now());
      histories.set(key, history);
      const wanted = await decide(key, autoscaler, target.scale, draft);
      const isRescaled = wanted.replicas !== undefined && wanted.replicas !== current;
      const desired = isRescaled ? wanted.replicas : current;
      if (isRescaled) {
        await rescale(autoscaler, target, { to: desired, reason: wanted.reason, current, draft });
        draft.action = desired > current ? "scale_up" : "scale_down";
        const { scaleUp, scaleDown } = autoscaler.spec?.behavior ?? {};
        if (autoscaler.spec?.behavior) {
          const rules = { ...(scaleUp && { up: scaleUp }), ...(scaleDown && { down: scaleDown }) };
          const before = histories.get(key) ?? history;
          histories.set(key, recordScale(before, { from: current, to: desired, rules, now: clock.now() }));
        }
        noteZero(autoscaler, { from: current, to: desired }, draft);
      }
      const { namespace = "", name = "" } = autoscaler.metadata ?? {};
      metrics.desired(namespace, name, desired);
      await storeStatus(autoscaler, draft, { current, desired, ...(isRescaled && { scaledAt: clock.now() }) });
      if (wanted.problem !== undefined) throw new Error(wanted.problem);
    }

    const find = (draft: Draft, ...findings: readonly Finding[]): void => {
      draft.conditions = withFindings(draft.conditions, findings, clock.now());
    };

    /** The target's scale, whatever the target is. */
    async function findTarget(autoscaler: CachedAutoscaler, draft: Draft): Promise<Target> {
      const { apiVersion = "", kind: targetKind = "", name = "" } = autoscaler.spec?.scaleTargetRef ?? {};
      const { namespace = "" } = autoscaler.metadata ?? {};
      try {
        const group = parseGroupVersion(apiVersion)?.group;
        if (group === undefined) {
          draft.failure = "spec";
          throw new Error(groupVersionError(apiVersion));
        }
        const { resource } = await client.mapper.mapping({ group, kind: targetKind });
        const scale = await client.scale(resource, namespace).get(name);
        const message = "the HPA controller was able to get the target's current scale";
        find(draft, { type: "AbleToScale", status: "True", reason: "SucceededGetScale", message });
        return { resource, name, namespace, scale };
      } catch (error) {
        record(autoscaler, "Warning", "FailedGetScale", messageOf(error));
        const message = `the HPA controller was unable to get the target's current scale: ${messageOf(error)}`;
        find(draft, { type: "AbleToScale", status: "False", reason: "FailedGetScale", message });
        await storeConditions(autoscaler, draft);
        throw error;
      }
    }

    /** `replicas` undefined: scaling is off. `problem`: some metrics had no result, and the others were enough. */
    async function decide(
      key: string,
      autoscaler: CachedAutoscaler,
      scale: Scale,
      draft: Draft,
    ): Promise<{ readonly replicas?: number; readonly reason: string; readonly problem?: string }> {
      const { minReplicas = 1, maxReplicas = 0 } = autoscaler.spec ?? {};
      const current = scale.spec?.replicas ?? 0;
      const wasScaledToZero = gates.enabled("HPAScaleToZero") && isScaledToZero(autoscaler);
      if (current === 0 && !(wasScaledToZero && (minReplicas !== 0 || hasObjectOrExternal(autoscaler)))) {
        const message = "scaling is disabled since the replica count of the target is zero";
        find(draft, { type: "ScalingActive", status: "False", reason: "ScalingDisabled", message });
        if (!gates.enabled("HPAScaleToZero")) forgetZero(draft);
        return { reason: "" };
      }
      if (current > maxReplicas)
        return { replicas: maxReplicas, reason: "Current number of replicas above Spec.MaxReplicas" };
      const belowMinimum = "Current number of replicas below Spec.MinReplicas";
      if (current > 0 && current < minReplicas) return { replicas: minReplicas, reason: belowMinimum };

      const { best, problem } = await bestProposal(key, autoscaler, scale, draft);
      const normalized = planReplicas({
        autoscaler,
        history: histories.get(key) ?? newHistory(current, clock.now()),
        current,
        desired: best.replicas,
        minReplicas,
        downscaleWindowMs,
        now: clock.now(),
      });
      histories.set(key, normalized.history);
      find(draft, ...normalized.findings);
      let reason = "";
      if (best.replicas > current) reason = `${best.metric} above target`;
      if (best.replicas < current) reason = "All metrics below target";
      const isTooFew = current === 0 && normalized.replicas < minReplicas;
      return {
        replicas: isTooFew ? minReplicas : normalized.replicas,
        reason: isTooFew && reason === "" ? belowMinimum : reason,
        ...(problem !== undefined && { problem }),
      };
    }

    /** The metric that asks for most. @throws Error where they give no result */
    async function bestProposal(
      key: string,
      autoscaler: CachedAutoscaler,
      scale: Scale,
      draft: Draft,
    ): Promise<{ readonly best: Proposal; readonly problem: string | undefined }> {
      const { namespace = "" } = autoscaler.metadata ?? {};
      const current = scale.spec?.replicas ?? 0;
      try {
        const target = targetPods({
          key,
          namespace,
          selector: scale.status?.selector ?? "",
          podsOf: (selector) => createLister(pods.indexer).namespace(namespace).list(selector),
          controlling,
        });
        const inputs: ProposalInputs = {
          ...target,
          source,
          namespace,
          specReplicas: current,
          statusReplicas: scale.status?.replicas ?? 0,
          tolerances: tolerancesOf(autoscaler, tolerance, gates.enabled("HPAConfigurableTolerance")),
          hasPodLevelResources: gates.enabled("PodLevelResources"),
          cpuInitializationMs,
          initialReadinessMs,
          now: clock.now(),
        };
        const answers = await askMetrics(autoscaler.spec?.metrics ?? [], inputs, observer(autoscaler));
        draft.metrics = answers.statuses;
        const { best, problem, finding } = judgeAnswers(answers, current);
        if (finding) find(draft, finding);
        if (!best) throw new Error(problem);
        return { best, problem };
      } catch (error) {
        if (error instanceof TargetPodsError) {
          record(autoscaler, "Warning", error.reason, error.message);
          find(draft, error.finding);
        }
        await storeStatus(autoscaler, draft, { current, desired: autoscaler.status?.desiredReplicas ?? 0 });
        record(autoscaler, "Warning", "FailedComputeMetricsReplicas", messageOf(error));
        throw error;
      }
    }

    /** Counts the answers of metrics, and reports those that failed. */
    function observer(autoscaler: CachedAutoscaler): Parameters<typeof askMetrics>[2] {
      const before = autoscaler.status?.currentReplicas ?? 0;
      let since = clock.monotonic();
      return ({ type }, answer) => {
        const seconds = (clock.monotonic() - since) / 1000;
        since = clock.monotonic();
        if (!(answer instanceof MetricError))
          return metrics.computed({ action: actionOf(answer.replicas, before), failure: "none", seconds, type });
        record(autoscaler, "Warning", answer.reason, answer.detail);
        const failure = answer.reason === "InvalidMetricSourceType" ? "spec" : "internal";
        metrics.computed({ action: "none", failure, seconds, type });
      };
    }

    async function rescale(
      autoscaler: CachedAutoscaler,
      { resource, name, namespace, scale }: Target,
      { to, reason, current, draft }: { to: number; reason: string; current: number; draft: Draft },
    ): Promise<void> {
      const scales = client.scale(resource, namespace);
      let latest: Scale | undefined = scale;
      try {
        await retryOnConflict(
          async () => {
            const known = latest ?? (await scales.get(name));
            latest = undefined;
            await scales.update(name, { ...known, spec: { ...known.spec, replicas: to } });
          },
          { runtime: context.runtime },
        );
      } catch (error) {
        const message = `New size: ${to}; reason: ${reason}; error: ${messageOf(error)}`;
        record(autoscaler, "Warning", "FailedRescale", message);
        find(draft, {
          type: "AbleToScale",
          status: "False",
          reason: "FailedUpdateScale",
          message: `the HPA controller was unable to update the target scale: ${messageOf(error)}`,
        });
        await storeStatus(autoscaler, draft, { current, desired: autoscaler.status?.desiredReplicas ?? 0 });
        throw error;
      }
      const message = `the HPA controller was able to update the target scale to ${to}`;
      find(draft, { type: "AbleToScale", status: "True", reason: "SucceededRescale", message });
      record(autoscaler, "Normal", "SuccessfulRescale", `New size: ${to}; reason: ${reason}`);
    }

    /** Only what was scaled to zero by its autoscaler is scaled up again by it. */
    function noteZero(autoscaler: CachedAutoscaler, { from, to }: { from: number; to: number }, draft: Draft): void {
      if (!gates.enabled("HPAScaleToZero")) return forgetZero(draft);
      const { minReplicas = 1 } = autoscaler.spec ?? {};
      const isZero = from > 0 && to === 0 && minReplicas === 0 && hasObjectOrExternal(autoscaler);
      find(draft, {
        type: "ScaledToZero",
        status: isZero ? "True" : "False",
        reason: isZero ? "ScaledToZero" : "NotScaledToZero",
        message: `the HPA controller ${isZero ? "scaled" : "did not scale"} the workload to zero`,
      });
    }

    function forgetZero(draft: Draft): void {
      draft.conditions = draft.conditions.filter(({ type }) => type !== "ScaledToZero");
    }

    async function storeStatus(
      autoscaler: CachedAutoscaler,
      { conditions, metrics: currentMetrics }: Draft,
      { current, desired, scaledAt }: { current: number; desired: number; scaledAt?: number },
    ): Promise<void> {
      const lastScaleTime = scaledAt === undefined ? autoscaler.status?.lastScaleTime : formatTime(scaledAt);
      await writeStatus(autoscaler, {
        ...(lastScaleTime !== undefined && { lastScaleTime }),
        currentReplicas: current,
        desiredReplicas: desired,
        ...(currentMetrics && { currentMetrics }),
        conditions,
      } as HorizontalPodAutoscalerStatus);
    }

    const storeConditions = (autoscaler: CachedAutoscaler, { conditions }: Draft): Promise<void> =>
      writeStatus(autoscaler, {
        desiredReplicas: 0,
        ...autoscaler.status,
        conditions,
      } as HorizontalPodAutoscalerStatus);

    async function writeStatus(autoscaler: CachedAutoscaler, status: HorizontalPodAutoscalerStatus): Promise<void> {
      if (equalJson(status, autoscaler.status)) return;
      const { namespace = "", name } = autoscaler.metadata ?? {};
      try {
        const object = { ...(autoscaler as HorizontalPodAutoscaler), status };
        await client.autoscaling.v2.horizontalpodautoscalers(namespace).updateStatus(object);
      } catch (error) {
        record(autoscaler, "Warning", "FailedUpdateStatus", messageOf(error));
        throw new Error(`failed to update status for ${name}: ${messageOf(error)}`, { cause: error });
      }
    }
    return loop;
  },
};

/** What a reconcile has found out so far. */
interface Draft {
  conditions: readonly CachedCondition[];
  metrics?: readonly CachedMetricStatus[];
  action: Action;
  failure: Failure;
}

interface Target {
  readonly resource: GroupVersionResource;
  readonly name: string;
  readonly namespace: string;
  readonly scale: Scale;
}

const actionOf = (replicas: number, before: number): Action =>
  replicas > before ? "scale_up" : replicas < before ? "scale_down" : "none";

const isScaledToZero = ({ status }: CachedAutoscaler): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === "ScaledToZero" && value === "True") ?? false;

const hasObjectOrExternal = ({ spec }: CachedAutoscaler): boolean =>
  spec?.metrics?.some(({ type }) => type === "Object" || type === "External") ?? false;
