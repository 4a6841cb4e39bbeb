import type { Scale } from "@coxswain/api/autoscaling/v1";
import { type GroupVersionResource, groupVersionError, parseGroupVersion } from "@coxswain/apimachinery/meta";
import type { WorkResult } from "@coxswain/client/queue";
import { retryOnConflict } from "@coxswain/client/retry";
import { headerText, reasonHeader } from "@coxswain/client/work";
import { messageOf } from "../pods/pod-control.js";
import { type AutoscalerWork, type Draft, find, forgetZero, hasObjectOrExternal } from "./autoscaler-work.js";
import { decideReplicas } from "./decide-replicas.js";
import type { CachedAutoscaler } from "./plan.js";
import { newHistory, recordScale } from "./scale-history.js";
import { storeConditions, storeStatus } from "./write-status.js";

interface Target {
  readonly resource: GroupVersionResource;
  readonly name: string;
  readonly namespace: string;
  readonly scale: Scale;
}

/** Looks at one autoscaler, and again after a period whatever comes of it. */
export async function reconcileAutoscaler(work: AutoscalerWork, key: string): Promise<WorkResult> {
  const { clock, log } = work.runtime;
  const autoscaler = work.autoscalerByKey(key);
  if (!autoscaler) return;
  const since = clock.monotonic();
  const draft: Draft = { conditions: autoscaler.status?.conditions ?? [], action: "none", failure: "none" };
  try {
    await autoscale(work, key, autoscaler, draft);
  } catch (error) {
    if (draft.failure === "none") draft.failure = "internal";
    log.info("an autoscaler failed and is looked at again in the next period", { autoscaler: key, error });
  }
  const { action, failure } = draft;
  work.metrics.reconciled({ action, failure, seconds: (clock.monotonic() - since) / 1000 });
  return { requeueAfterMs: work.settings.syncPeriodMs };
}

async function autoscale(work: AutoscalerWork, key: string, autoscaler: CachedAutoscaler, draft: Draft): Promise<void> {
  const { histories, metrics } = work;
  const { clock } = work.runtime;
  const target = await findTarget(work, autoscaler, draft);
  const current = target.scale.spec?.replicas ?? 0;
  const history = histories.get(key) ?? newHistory(current, clock.now());
  histories.set(key, history);
  const wanted = await decideReplicas(work, key, autoscaler, target.scale, draft);
  const isRescaled = wanted.replicas !== undefined && wanted.replicas !== current;
  const desired = isRescaled ? wanted.replicas : current;
  if (isRescaled) {
    await rescale(work, autoscaler, target, { to: desired, reason: wanted.reason, current, draft });
    draft.action = desired > current ? "scale_up" : "scale_down";
    const { scaleUp, scaleDown } = autoscaler.spec?.behavior ?? {};
    if (autoscaler.spec?.behavior) {
      const rules = { ...(scaleUp && { up: scaleUp }), ...(scaleDown && { down: scaleDown }) };
      const before = histories.get(key) ?? history;
      histories.set(key, recordScale(before, { from: current, to: desired, rules, now: clock.now() }));
    }
    noteZero(work, autoscaler, { from: current, to: desired }, draft);
  }
  const { namespace = "", name = "" } = autoscaler.metadata ?? {};
  metrics.desired(namespace, name, desired);
  await storeStatus(work, autoscaler, draft, { current, desired, ...(isRescaled && { scaledAt: clock.now() }) });
  if (wanted.problem !== undefined) throw new Error(wanted.problem);
}

/** The target's scale, whatever the target is. */
async function findTarget(work: AutoscalerWork, autoscaler: CachedAutoscaler, draft: Draft): Promise<Target> {
  const { client, record } = work;
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
    find(work, draft, { type: "AbleToScale", status: "True", reason: "SucceededGetScale", message });
    return { resource, name, namespace, scale };
  } catch (error) {
    record(autoscaler, "Warning", "FailedGetScale", messageOf(error));
    const message = `the HPA controller was unable to get the target's current scale: ${messageOf(error)}`;
    find(work, draft, { type: "AbleToScale", status: "False", reason: "FailedGetScale", message });
    await storeConditions(work, autoscaler, draft);
    throw error;
  }
}

async function rescale(
  work: AutoscalerWork,
  autoscaler: CachedAutoscaler,
  { resource, name, namespace, scale }: Target,
  { to, reason, current, draft }: { to: number; reason: string; current: number; draft: Draft },
): Promise<void> {
  const { client, record, runtime } = work;
  const scales = client.scale(resource, namespace);
  let latest: Scale | undefined = scale;
  try {
    await retryOnConflict(
      async () => {
        const known = latest ?? (await scales.get(name));
        latest = undefined;
        const scaled = { ...known, spec: { ...known.spec, replicas: to } };
        await scales.update(name, scaled, { headers: { [reasonHeader]: headerText(reason) } });
      },
      { runtime },
    );
  } catch (error) {
    const message = `New size: ${to}; reason: ${reason}; error: ${messageOf(error)}`;
    record(autoscaler, "Warning", "FailedRescale", message);
    find(work, draft, {
      type: "AbleToScale",
      status: "False",
      reason: "FailedUpdateScale",
      message: `the HPA controller was unable to update the target scale: ${messageOf(error)}`,
    });
    await storeStatus(work, autoscaler, draft, { current, desired: autoscaler.status?.desiredReplicas ?? 0 });
    throw error;
  }
  const message = `the HPA controller was able to update the target scale to ${to}`;
  find(work, draft, { type: "AbleToScale", status: "True", reason: "SucceededRescale", message });
  record(autoscaler, "Normal", "SuccessfulRescale", `New size: ${to}; reason: ${reason}`);
}

/** Only what was scaled to zero by its autoscaler is scaled up again by it. */
function noteZero(
  work: AutoscalerWork,
  autoscaler: CachedAutoscaler,
  { from, to }: { from: number; to: number },
  draft: Draft,
): void {
  if (!work.gates.enabled("HPAScaleToZero")) return forgetZero(draft);
  const { minReplicas = 1 } = autoscaler.spec ?? {};
  const isZero = from > 0 && to === 0 && minReplicas === 0 && hasObjectOrExternal(autoscaler);
  find(work, draft, {
    type: "ScaledToZero",
    status: isZero ? "True" : "False",
    reason: isZero ? "ScaledToZero" : "NotScaledToZero",
    message: `the HPA controller ${isZero ? "scaled" : "did not scale"} the workload to zero`,
  });
}
