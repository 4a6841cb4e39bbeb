import type { Scale } from "@coxswain/api/autoscaling/v1";
import { messageOf } from "../pods/pod-control.js";
import { askMetrics, decideByAnswers } from "./ask-metrics.js";
import type { Action } from "./autoscaler-metrics.js";
import { type AutoscalerWork, type Draft, find, forgetZero, hasObjectOrExternal } from "./autoscaler-work.js";
import { MetricError, type Proposal, type ProposalInputs, tolerancesOf } from "./metric-proposals.js";
import { type CachedAutoscaler, planReplicas } from "./plan.js";
import { newHistory } from "./scale-history.js";
import { TargetPodsError, targetPods } from "./target-pods.js";
import { storeStatus } from "./write-status.js";

/** `replicas` undefined: scaling is off. `problem`: some metrics had no result, and the others were enough. */
export async function decideReplicas(
  work: AutoscalerWork,
  key: string,
  autoscaler: CachedAutoscaler,
  scale: Scale,
  draft: Draft,
): Promise<{ readonly replicas?: number; readonly reason: string; readonly problem?: string }> {
  const { gates, histories, settings } = work;
  const { clock } = work.runtime;
  const { minReplicas = 1, maxReplicas = 0 } = autoscaler.spec ?? {};
  const current = scale.spec?.replicas ?? 0;
  const wasScaledToZero = gates.enabled("HPAScaleToZero") && isScaledToZero(autoscaler);
  if (current === 0 && !(wasScaledToZero && (minReplicas !== 0 || hasObjectOrExternal(autoscaler)))) {
    const message = "scaling is disabled since the replica count of the target is zero";
    find(work, draft, { type: "ScalingActive", status: "False", reason: "ScalingDisabled", message });
    if (!gates.enabled("HPAScaleToZero")) forgetZero(draft);
    return { reason: "" };
  }
  if (current > maxReplicas)
    return { replicas: maxReplicas, reason: "Current number of replicas above Spec.MaxReplicas" };
  const belowMinimum = "Current number of replicas below Spec.MinReplicas";
  if (current > 0 && current < minReplicas) return { replicas: minReplicas, reason: belowMinimum };

  const { best, problem } = await bestProposal(work, key, autoscaler, scale, draft);
  const normalized = planReplicas({
    autoscaler,
    history: histories.get(key) ?? newHistory(current, clock.now()),
    current,
    desired: best.replicas,
    minReplicas,
    downscaleWindowMs: settings.downscaleWindowMs,
    now: clock.now(),
  });
  histories.set(key, normalized.history);
  find(work, draft, ...normalized.findings);
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
  work: AutoscalerWork,
  key: string,
  autoscaler: CachedAutoscaler,
  scale: Scale,
  draft: Draft,
): Promise<{ readonly best: Proposal; readonly problem: string | undefined }> {
  const { gates, settings, record } = work;
  const { namespace = "" } = autoscaler.metadata ?? {};
  const current = scale.spec?.replicas ?? 0;
  try {
    const target = targetPods({
      key,
      namespace,
      selector: scale.status?.selector ?? "",
      podsOf: (selector) => work.podsIn(namespace, selector),
      controlling: work.controlling,
    });
    const inputs: ProposalInputs = {
      ...target,
      source: settings.source,
      namespace,
      specReplicas: current,
      statusReplicas: scale.status?.replicas ?? 0,
      tolerances: tolerancesOf(autoscaler, settings.tolerance, gates.enabled("HPAConfigurableTolerance")),
      hasPodLevelResources: gates.enabled("PodLevelResources"),
      cpuInitializationMs: settings.cpuInitializationMs,
      initialReadinessMs: settings.initialReadinessMs,
      now: work.runtime.clock.now(),
    };
    const answers = await askMetrics(autoscaler.spec?.metrics ?? [], inputs, observer(work, autoscaler));
    draft.metrics = answers.statuses;
    const { best, problem, finding } = decideByAnswers(answers, current);
    if (finding) find(work, draft, finding);
    if (!best) throw new Error(problem);
    return { best, problem };
  } catch (error) {
    if (error instanceof TargetPodsError) {
      record(autoscaler, "Warning", error.reason, error.message);
      find(work, draft, error.finding);
    }
    await storeStatus(work, autoscaler, draft, { current, desired: autoscaler.status?.desiredReplicas ?? 0 });
    record(autoscaler, "Warning", "FailedComputeMetricsReplicas", messageOf(error));
    throw error;
  }
}

/** Counts the answers of metrics, and reports those that failed. */
function observer(
  { metrics, record, runtime: { clock } }: AutoscalerWork,
  autoscaler: CachedAutoscaler,
): Parameters<typeof askMetrics>[2] {
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

const actionOf = (replicas: number, before: number): Action =>
  replicas > before ? "scale_up" : replicas < before ? "scale_down" : "none";

const isScaledToZero = ({ status }: CachedAutoscaler): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === "ScaledToZero" && value === "True") ?? false;
