import { builtInFeatureGates } from "@coxswain/api/feature-gates";
import { createFeatureGates } from "@coxswain/component/feature-gates";
import { testRuntime } from "@coxswain/runtime";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { createSchedulerCache } from "../cache/scheduler-cache.js";
import type { Snapshot } from "../cache/snapshot.js";
import { buildProfile } from "../config/build-profile.js";
import { defaultSchedulerConfig } from "../config/default-config.js";
import type { ClusterObjects } from "../framework/cluster-objects.js";
import { createCycle } from "../framework/cycle.js";
import type { NodeStatuses } from "../framework/node-statuses.js";
import { createNodeStatuses } from "../framework/node-statuses.js";
import type { NodeFilters } from "../framework/plugin.js";
import type { Profile } from "../framework/profile.js";
import { runPreFilters } from "../framework/run-pre-filters.js";
import { runScores } from "../framework/run-scores.js";
import type { Status } from "../framework/status.js";
import type { PluginContext } from "../plugins/plugin-context.js";
import { createRegistry } from "../plugins/registry.js";
import { objectKey } from "../pod/objects.js";
import { PodInfo } from "../pod/pod-info.js";
import { budgetsOf } from "../preemption/disruption-budgets.js";
import { findCandidates } from "../preemption/find-candidates.js";
import { pickCandidate } from "../preemption/pick-candidate.js";
import { type Problem, type Solution, type StatusAnswer, storeOf } from "./problem.test.support.js";

export const now = Date.UTC(2026, 0, 1);

/** What our framework makes of a problem, in the form of upstream's answers. */
export async function solve(problem: Problem, snapshot: Snapshot = snapshotOf(problem)): Promise<Solution> {
  const objects = objectsOf(problem);
  const profile = profileOf(objects);
  const cycle = createCycle(new PodInfo(problem.pod), snapshot);
  const { status, nodeNames, filters } = runPreFilters(profile, cycle);
  const statuses = createNodeStatuses();
  if (status) {
    statuses.setAbsent(status);
    return { preFilter: answer(status), ...(await preempt(problem, { snapshot, filters, statuses, objects })) };
  }
  const filter: Record<string, StatusAnswer | null> = {};
  const feasible = snapshot.nodes.filter((node) => {
    if (nodeNames && !nodeNames.has(node.name)) return false;
    const refusal = filters.checkWithNominated(node);
    filter[node.name] = refusal ? answer(refusal) : null;
    if (refusal) statuses.set(node.name, refusal);
    return refusal === undefined;
  });
  const found = { filter, ...(nodeNames && { nodeNames: [...nodeNames].sort() }) };
  if (feasible.length === 0) return { ...found, ...(await preempt(problem, { snapshot, filters, statuses, objects })) };
  const { byPlugin } = runScores(profile, cycle, feasible);
  const scores = [...byPlugin].map(([plugin, all]) => [
    plugin,
    Object.fromEntries(feasible.map((node, at) => [node.name, all[at] as number])),
  ]);
  return { ...found, scores: Object.fromEntries(scores) as NonNullable<Solution["scores"]> };
}

interface Refused {
  readonly snapshot: Snapshot;
  readonly filters: NodeFilters;
  readonly statuses: NodeStatuses;
  readonly objects: ClusterObjects;
}

async function preempt({ pod }: Problem, { snapshot, filters, statuses, objects }: Refused): Promise<Solution> {
  const nodes = statuses.nodesWith(snapshot, "Unschedulable");
  if (nodes.length === 0) return {};
  const found = await findCandidates({
    pod: new PodInfo(pod),
    nodes,
    filters,
    budgets: budgetsOf(objects.podDisruptionBudgets.list()),
    offset: 0,
    wanted: nodes.length,
    now,
    scheduler: testRuntime(1).scheduler,
  });
  if (found.failure) return { failure: found.failure.reasons.join(", ") };
  const refused: Record<string, StatusAnswer> = {};
  found.statuses.each((node, status) => {
    refused[node] = answer(status);
  });
  const pick = pickCandidate(found.victims, now);
  if (pick === undefined) return { refused };
  const candidates = [...found.victims].map(([node, { pods, budgetViolations }]) => [
    node,
    { pods: pods.map(objectKey), violations: budgetViolations },
  ]);
  return { refused, candidates: Object.fromEntries(candidates) as NonNullable<Solution["candidates"]>, pick };
}

const answer = ({ code, reasons, plugin }: Status): StatusAnswer => ({
  code,
  ...(reasons.length > 0 && { reasons: [...reasons].sort() }),
  ...(plugin !== "" && { plugin }),
});

function snapshotOf({ nodes, pods }: Pick<Problem, "nodes" | "pods">): Snapshot {
  const cache = createSchedulerCache();
  for (const node of nodes) cache.addNode(node);
  for (const pod of pods) cache.addPod(pod);
  return cache.snapshot();
}

const gates = createFeatureGates(builtInFeatureGates);

export function profileOf(objects: ClusterObjects): Profile {
  const [config] = defaultSchedulerConfig(gates).profiles;
  if (config === undefined) throw new Error("the default configuration has a profile");
  return buildProfile(config, createRegistry(contextOf(objects)));
}

/** Nothing of it acts: filters and scores only look. */
function contextOf(objects: ClusterObjects): PluginContext {
  const never = (): never => {
    throw new Error("a filter or a score must not act");
  };
  return {
    client: undefined as never,
    objects,
    gates,
    runtime: testRuntime(1, { clock: createVirtualClock({ startMs: now }) }),
    extenders: [],
    onChange: never,
    onPreempted: never,
    nominatedPods: () => [],
    activate: never,
    event: never,
    inBackground: never,
    cancelBinding: never,
  };
}

export function objectsOf({ nodes, pods, pod, objects }: Problem): ClusterObjects {
  return {
    pods: storeOf([...pods, pod]),
    nodes: storeOf(nodes),
    namespaces: storeOf(objects.namespaces ?? []),
    services: storeOf(objects.services ?? []),
    replicationControllers: storeOf(objects.replicationControllers ?? []),
    replicaSets: storeOf(objects.replicaSets ?? []),
    statefulSets: storeOf(objects.statefulSets ?? []),
    podDisruptionBudgets: storeOf(objects.podDisruptionBudgets ?? []),
    persistentVolumes: storeOf(objects.persistentVolumes ?? []),
    persistentVolumeClaims: storeOf(objects.persistentVolumeClaims ?? []),
    storageClasses: storeOf(objects.storageClasses ?? []),
    csiNodes: storeOf(objects.csiNodes ?? []),
    csiDrivers: storeOf(objects.csiDrivers ?? []),
    csiStorageCapacities: storeOf(objects.csiStorageCapacities ?? []),
    volumeAttachments: storeOf(objects.volumeAttachments ?? []),
    resourceClaims: storeOf(objects.resourceClaims ?? []),
    resourceSlices: storeOf(objects.resourceSlices ?? []),
    deviceClasses: storeOf(objects.deviceClasses ?? []),
  };
}
