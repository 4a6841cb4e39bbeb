import { NodeInfo } from "../../cache/node-info.js";
import { actions, clusterEvent } from "../../framework/cluster-event.js";
import type { DeviceClass } from "../../framework/cluster-objects.js";
import type { EventRegistration, Plugin } from "../../framework/plugin.js";
import type { Node, Pod } from "../../pod/objects.js";
import { assumedRequests, PodInfo } from "../../pod/pod-info.js";
import { podRequests } from "../../pod/pod-requests.js";
import type { Resource } from "../../pod/resource.js";
import { type AllocationScorerOptions, createAllocationScorer, type ResourceWeight } from "./allocation-scorer.js";
import { createFitTest, type FitRules } from "./fits-request.js";
import { leastAllocated, mostAllocated, requestedToCapacityRatio, type ShapePoint } from "./scoring-strategies.js";

export interface ScoringStrategy {
  readonly type: "LeastAllocated" | "MostAllocated" | "RequestedToCapacityRatio";
  readonly resources: readonly ResourceWeight[];
  readonly requestedToCapacityRatio?: { readonly shape: readonly ShapePoint[] };
}

export interface FitArgs {
  readonly ignoredResources?: readonly string[];
  readonly ignoredResourceGroups?: readonly string[];
  readonly scoringStrategy: ScoringStrategy;
}

/** What devices stand for extended resources, prepared for one cycle; undefined where none do. */
export type DeviceTotals = (resources: readonly ResourceWeight[]) => AllocationScorerOptions["dynamic"] | undefined;

export interface FitOptions {
  readonly args: FitArgs;
  /** The device class that stands for an extended resource. @default none does */
  deviceClassFor?(resource: string): DeviceClass | undefined;
  readonly deviceTotals?: DeviceTotals;
}

const name = "NodeResourcesFit";

/** Whether a node has what the pod requests, and how well its size suits the node. */
export function createFit({ args, deviceClassFor = () => undefined, deviceTotals }: FitOptions): Plugin {
  const rules: FitRules = {
    ignoredResources: new Set(args.ignoredResources),
    ignoredGroups: new Set(args.ignoredResourceGroups),
    isDynamic: (resource) => deviceClassFor(resource) !== undefined,
  };
  const { resources } = args.scoringStrategy;
  const score = scoreByStrategy(args.scoringStrategy);
  return {
    name,
    events: eventsOf(rules),
    preFilter: ({ pod }) => ({ kind: "filter", filter: { filter: createFitTest(pod.requests, rules) } }),
    preScore({ pod: { pod } }) {
      // Not with the resources of the whole pod: upstream's scorer of this plugin does not know them.
      const requests = podRequests(pod, {
        podLevel: false,
        fromStatus: false,
        podLevelFromStatus: false,
        assumed: assumedRequests,
      });
      const dynamic = deviceTotals?.(resources);
      return {
        kind: "score",
        scorer: createAllocationScorer({
          resources,
          podRequests: resources.map((resource) => Math.ceil(requests.get(resource.name) ?? 0)),
          useRequested: false,
          ...(dynamic && { dynamic }),
          score,
        }),
      };
    },
  };
}

function scoreByStrategy({ type, resources, requestedToCapacityRatio: ratio }: ScoringStrategy) {
  switch (type) {
    case "LeastAllocated":
      return leastAllocated(resources);
    case "MostAllocated":
      return mostAllocated(resources);
    case "RequestedToCapacityRatio":
      return requestedToCapacityRatio(resources, ratio?.shape ?? []);
  }
}

function eventsOf(rules: FitRules): readonly EventRegistration[] {
  return [
    {
      event: clusterEvent("Pod", actions.delete | actions.updatePodScaleDown),
      hint(pod, old, object) {
        const [before, after] = [old as Pod, object as Pod | undefined];
        if (after === undefined) return Boolean(before.spec?.nodeName || before.status?.nominatedNodeName);
        if (after.metadata?.uid === pod.uid) return true;
        return Boolean(after.spec?.nodeName) && freedAny(pod.requests, before, after);
      },
    },
    {
      event: clusterEvent("Node", actions.add | actions.updateNodeAllocatable),
      hint(pod, old, object) {
        const after = bareInfo(object as Node);
        if (createFitTest(pod.requests, rules)(after) !== undefined) return false;
        return old === undefined || grewForPod(pod.requests, bareInfo(old as Node), after, rules);
      },
    },
    {
      event: clusterEvent("DeviceClass", actions.add | actions.update),
      hint({ requests: { scalar } }, old, object) {
        const [before, after] = [old as DeviceClass | undefined, object as DeviceClass];
        const named = after.spec?.extendedResourceName;
        if (before && before.spec?.extendedResourceName === named) return false;
        if (!before && scalar?.has(`deviceclass.resource.kubernetes.io/${after.metadata?.name}`)) return true;
        return named !== undefined && scalar?.has(named) === true;
      },
    },
  ];
}

function bareInfo(node: Node): NodeInfo {
  const info = new NodeInfo();
  info.setNode(node, new Map());
  return info;
}

/** Whether the pod on a node gave back something that is wanted. */
function freedAny(wanted: Resource, before: Pod, after: Pod): boolean {
  const [was, is] = [new PodInfo(before).requests, new PodInfo(after).requests];
  if (wanted.milliCpu > 0 && was.milliCpu > is.milliCpu) return true;
  if (wanted.memory > 0 && was.memory > is.memory) return true;
  if (wanted.ephemeralStorage > 0 && was.ephemeralStorage > is.ephemeralStorage) return true;
  for (const [resource, amount] of wanted.scalar ?? [])
    if (amount > 0 && (was.scalar?.get(resource) ?? 0) > (is.scalar?.get(resource) ?? 0)) return true;
  return false;
}

function grewForPod(wanted: Resource, before: NodeInfo, after: NodeInfo, rules: FitRules): boolean {
  const [was, is] = [before.allocatable, after.allocatable];
  if (is.pods > was.pods) return true;
  if (wanted.milliCpu > 0 && is.milliCpu > was.milliCpu) return true;
  if (wanted.memory > 0 && is.memory > was.memory) return true;
  if (wanted.ephemeralStorage > 0 && is.ephemeralStorage > was.ephemeralStorage) return true;
  for (const [resource, amount] of wanted.scalar ?? [])
    if (
      amount > 0 &&
      ((is.scalar?.get(resource) ?? 0) > (was.scalar?.get(resource) ?? 0) ||
        ((is.scalar?.get(resource) ?? 0) === 0 && rules.isDynamic(resource)))
    )
      return true;
  return false;
}
