import { equalJson } from "@coxswain/apimachinery/json";
import { parseDurationMs } from "@coxswain/apimachinery/time";
import { randomUuid } from "@coxswain/runtime/random";
import { createDeviceClassResolver } from "../../devices/extended-resources.js";
import type { Selectors } from "../../devices/selectors.js";
import { actions, clusterEvent } from "../../framework/cluster-event.js";
import type { ResourceClaim } from "../../framework/cluster-objects.js";
import { type Plugin, skip } from "../../framework/plugin.js";
import { errorStatus, unresolvable } from "../../framework/status.js";
import { type Pod, uidOf } from "../../pod/objects.js";
import { normalizeScores } from "../normalize-scores.js";
import type { PluginContext } from "../plugin-context.js";
import { bindClaims } from "./bind-claims.js";
import { type DeviceContext, needsAllocation, pluginName, preferenceOf, stateOf } from "./claim-state.js";
import { createClaimTracker } from "./claim-tracker.js";
import { filterNodes } from "./filter-nodes.js";
import { resourceClaimsOf } from "./pod-claims.js";
import { deallocateOne, releaseClaims } from "./release-claims.js";

export interface DynamicResourcesArgs {
  /** How long drivers may take for what they have to do before a pod is bound. */
  readonly bindingTimeout?: string;
}

/** Allocates devices for the ResourceClaims of a pod, and for extended resources that a device class stands for. */
export function createDynamicResources(
  args: DynamicResourcesArgs,
  given: PluginContext & { readonly selectors: Selectors },
): Plugin {
  const context: DeviceContext = {
    ...given,
    tracker: createClaimTracker(given.objects.resourceClaims),
    deviceClassFor: createDeviceClassResolver(given.objects.deviceClasses),
    bindingTimeoutMs: parseDurationMs(args.bindingTimeout ?? "10m") ?? 600_000,
    newUid: () => randomUuid(given.runtime.random),
  };
  return {
    name: pluginName,
    events: queueingEvents(context),
    preEnqueue(pod) {
      const used = resourceClaimsOf(pod, context.tracker.get);
      return used.kind === "problem" ? unresolvable(pluginName, used.reason) : undefined;
    },
    preFilter: filterNodes(context),
    postFilter: deallocateOne(context),
    preScore({ state: cycleState }) {
      const state = stateOf(cycleState);
      return {
        kind: "score",
        scorer: {
          score: (info) => (state ? preferenceOf(state, state.byNode.get(info.name)) : 0),
          normalize: (scores) => normalizeScores(scores, false),
        },
      };
    },
    reserve: reserveClaims(context),
    unreserve: releaseClaims(context),
    preBindPreFlight: ({ state }) => (state.has(pluginName) ? { kind: "work", parallel: true } : skip),
    preBind: bindClaims(context),
  };
}

/** What may make a pod schedulable that was not. */
const queueingEvents = ({ tracker }: DeviceContext): NonNullable<Plugin["events"]> => [
  { event: clusterEvent("Node", actions.add | actions.updateNodeLabel | actions.updateNodeAllocatable) },
  {
    event: clusterEvent("ResourceClaim", actions.add | actions.update),
    hint({ pod }, old, object) {
      const [before, after] = [old as ResourceClaim | undefined, object as ResourceClaim];
      const used = resourceClaimsOf(pod, tracker.get);
      if (used.kind === "problem") return false;
      if (before?.status?.allocation && after.status?.allocation === undefined) return true;
      if (!used.claims.some(({ metadata }) => metadata?.uid === after.metadata?.uid)) return false;
      return before === undefined || !equalJson(before.status ?? {}, after.status ?? {});
    },
  },
  {
    event: clusterEvent("Pod", actions.updatePodGeneratedResourceClaim),
    hint: (pod, _, object) =>
      uidOf(object as Pod) === pod.uid && resourceClaimsOf(object as Pod, tracker.get).kind === "claims",
  },
  { event: clusterEvent("DeviceClass", actions.add | actions.update) },
  { event: clusterEvent("ResourceSlice", actions.add | actions.update) },
];

/** The plugin's Reserve: what was found for the node counts as taken from now on. */
const reserveClaims =
  ({ tracker }: DeviceContext): NonNullable<Plugin["reserve"]> =>
  ({ state: cycleState }, nodeName) => {
    const state = stateOf(cycleState);
    if (state === undefined) return undefined;
    const toAllocate = state.claims.filter(needsAllocation);
    const found = state.byNode.get(nodeName);
    if (toAllocate.length === 0 || (found === undefined && toAllocate.every((claim) => claim === state.extended)))
      return undefined;
    if (found === undefined) return errorStatus(pluginName, new Error("claim allocation not found for node"));
    let at = 0;
    state.allocations = state.claims.map((claim) => {
      if (claim.status?.allocation) return undefined;
      const allocation = found.results[at++];
      tracker.addPending(claim.metadata?.uid ?? "", {
        ...claim,
        status: { ...claim.status, ...(allocation && { allocation }) },
      });
      return allocation;
    });
    return undefined;
  };
