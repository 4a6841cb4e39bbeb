import { randomInt } from "@coxswain/runtime/random";
import type { Snapshot } from "../../cache/snapshot.js";
import type { Victims } from "../../extender/extender.js";
import { actions, clusterEvent } from "../../framework/cluster-event.js";
import type { Cycle } from "../../framework/cycle.js";
import { createDiagnosis, fitMessage } from "../../framework/diagnosis.js";
import type { NodeStatuses } from "../../framework/node-statuses.js";
import type { Plugin, PostFilterInput, PostFilterResult } from "../../framework/plugin.js";
import { errorStatus, type Status, unresolvable, unschedulable } from "../../framework/status.js";
import { objectKey, type Pod, uidOf } from "../../pod/objects.js";
import { PodInfo } from "../../pod/pod-info.js";
import { budgetsOf } from "../../preemption/disruption-budgets.js";
import { clearLowerNominations, type EvictionDeps, evictVictim } from "../../preemption/evict-victims.js";
import { candidatesWanted, findCandidates } from "../../preemption/find-candidates.js";
import { pickCandidate } from "../../preemption/pick-candidate.js";
import type { PluginContext } from "../plugin-context.js";
import { processByExtenders } from "./process-by-extenders.js";

export interface DefaultPreemptionArgs {
  readonly minCandidateNodesPercentage: number;
  readonly minCandidateNodesAbsolute: number;
}

export interface DefaultPreemptionOptions {
  readonly args: DefaultPreemptionArgs;
  readonly context: PluginContext;
}

const name = "DefaultPreemption";
const unhelpful = unresolvable("", "Preemption is not helpful for scheduling");
const waiting = unresolvable(name, "waiting for the preemption for this pod to be finished");

/** Pods for which victims are being removed; with the last victim once it is on its way. */
class Removals extends Map<string, Pod | undefined> {
  /** Whether something of the preemption is still to come that the pod has to wait for. */
  isUnderWay(uid: string, { pods }: Pick<PluginContext["objects"], "pods">): boolean {
    if (!this.has(uid)) return false;
    const last = this.get(uid);
    if (last === undefined) return true;
    const current = pods.get(objectKey(last));
    return current !== undefined && current.metadata?.deletionTimestamp === undefined;
  }
}

interface Preemption extends DefaultPreemptionOptions {
  readonly isAsync: boolean;
  readonly eviction: EvictionDeps;
  readonly removals: Removals;
}

/** Makes room for a pod that fits nowhere by removing pods of lower priority. */
export function createDefaultPreemption({ args, context }: DefaultPreemptionOptions): Plugin {
  const isAsync = context.gates.enabled("SchedulerAsyncPreemption");
  const removals = new Removals();
  const preemption: Preemption = { args, context, isAsync, removals, eviction: { ...context, plugin: name } };

  return {
    name,
    // The deletion of a victim is what wakes the pod, by the plugins that refused it.
    events: isAsync ? [{ event: clusterEvent("Pod", actions.delete), hint: () => false }] : [],
    preEnqueue: (pod) => (removals.isUnderWay(uidOf(pod), context.objects) ? waiting : undefined),
    async postFilter(cycle, input) {
      const result = await preempt(preemption, cycle, input);
      if (result.status === undefined) return result;
      return { ...result, status: { ...result.status, reasons: [`preemption: ${result.status.reasons.join(", ")}`] } };
    },
  };
}

function whyNotEligible(pod: PodInfo, statuses: NodeStatuses, snapshot: Snapshot): string | undefined {
  if (pod.pod.spec?.preemptionPolicy === "Never") return "not eligible due to preemptionPolicy=Never.";
  const nominated = pod.pod.status?.nominatedNodeName;
  if (!nominated || statuses.get(nominated).code === "UnschedulableAndUnresolvable") return undefined;
  const leaving = snapshot
    .get(nominated)
    ?.pods.some((other) => other.priority < pod.priority && isTerminatingByPreemption(other.pod));
  return leaving ? "not eligible due to a terminating pod on the nominated node." : undefined;
}

function isTerminatingByPreemption({ metadata, status }: Pod): boolean {
  if (metadata?.deletionTimestamp === undefined) return false;
  const condition = status?.conditions?.find(({ type }) => type === "DisruptionTarget");
  return condition?.status === "True" && condition.reason === "PreemptionByScheduler";
}

function notHelpful(statuses: NodeStatuses, snapshot: Snapshot): string {
  statuses.setAbsent(unhelpful);
  return fitMessage({ ...createDiagnosis(), statuses }, snapshot.nodes.length);
}

async function preempt(
  preemption: Preemption,
  cycle: Cycle,
  { statuses, filters }: PostFilterInput,
): Promise<PostFilterResult> {
  const { args, context } = preemption;
  const { objects, extenders, runtime } = context;
  const current = objects.pods.get(objectKey(cycle.pod.pod));
  if (current === undefined)
    return { status: errorStatus(name, new Error(`pod "${cycle.pod.pod.metadata?.name}" not found`)) };
  const pod = current === cycle.pod.pod ? cycle.pod : new PodInfo(current);
  const ineligible = whyNotEligible(pod, statuses, cycle.snapshot);
  if (ineligible) return { status: unschedulable(name, ineligible) };
  const nodes = statuses.nodesWith(cycle.snapshot, "Unschedulable");
  const found = await findCandidates({
    pod,
    nodes,
    filters,
    budgets: nodes.length === 0 ? [] : budgetsOf(objects.podDisruptionBudgets.list()),
    offset: nodes.length === 0 ? 0 : randomInt(nodes.length, runtime.random),
    wanted: candidatesWanted(nodes.length, {
      percentage: args.minCandidateNodesPercentage,
      absolute: args.minCandidateNodesAbsolute,
    }),
    now: runtime.clock.now(),
    scheduler: runtime.scheduler,
  });
  if (found.victims.size === 0) {
    if (found.failure) return { status: found.failure };
    return { status: unschedulable(name, notHelpful(found.statuses, cycle.snapshot)), nominatedNode: "" };
  }
  const processed = await processByExtenders(extenders, {
    pod: pod.pod,
    found: found.victims,
    snapshot: cycle.snapshot,
  });
  if (processed.failure) return { status: processed.failure };
  const nodeName = pickCandidate(processed.victims, runtime.clock.now());
  const victims = nodeName === undefined ? undefined : processed.victims.get(nodeName);
  if (nodeName === undefined || victims === undefined)
    return { status: unschedulable(name, "no candidate node for preemption") };
  context.onPreempted(victims.pods.length);
  const failure = await removeVictims(preemption, pod, nodeName, victims);
  return failure ? { status: failure } : { status: undefined, nominatedNode: nodeName };
}

/** Asynchronously by default: the next pod need not wait for the server. */
async function removeVictims(
  { eviction, isAsync, removals, context }: Preemption,
  pod: PodInfo,
  nodeName: string,
  { pods }: Victims,
): Promise<Status | undefined> {
  const victims = pods.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
  const evict = (victim: Pod): Promise<void> => evictVictim(eviction, { victim, preemptor: pod.pod, nodeName });
  if (!isAsync) {
    try {
      await Promise.all(victims.map(evict));
      await clearLowerNominations(eviction, pod, nodeName);
      return undefined;
    } catch (error) {
      return errorStatus(name, error);
    }
  }
  const last = victims.at(-1);
  if (last === undefined) return undefined;
  removals.set(pod.uid, undefined);
  context.inBackground(async () => {
    let failed = true;
    try {
      await clearLowerNominations(eviction, pod, nodeName).catch(() => {}); // They look again when they fail.
      await Promise.all(victims.slice(0, -1).map(evict));
      // The pod is woken by the deletion of the last victim, so that it comes when all the room is there.
      removals.set(pod.uid, last);
      await evict(last);
      failed = false;
    } finally {
      removals.delete(pod.uid);
      if (failed) context.activate(new Map([[objectKey(pod.pod), pod.pod]]));
    }
  });
  return undefined;
}
