import { compileNodeSelector, type NodeMatch } from "@coxswain/api/placement";
import type { NodeInfo } from "../../cache/node-info.js";
import { allocateDevices } from "../../devices/allocate-devices.js";
import type { AllocatedDevices } from "../../devices/allocated-devices.js";
import { allocationResult } from "../../devices/allocation-result.js";
import { alternativesOf, fullName, requestsOf } from "../../devices/device-request.js";
import type { ResourceClaim, ResourceSlice } from "../../framework/cluster-objects.js";
import { type Plugin, refuse, skip } from "../../framework/plugin.js";
import { errorStatus, type Status, unresolvable } from "../../framework/status.js";
import type { Pod } from "../../pod/objects.js";
import { bindingReadiness, isBindingLate } from "./binding-conditions.js";
import { type ClaimState, type DeviceContext, needsAllocation, pluginName } from "./claim-state.js";
import { extendedClaimOf, extendedOn } from "./extended-claim.js";
import { resourceClaimsOf } from "./pod-claims.js";

const cannotAllocate = unresolvable(pluginName, "cannot allocate all claims");
const notAvailable = unresolvable(pluginName, "resourceclaim not available on the node");

/** What is the same for every node of a cycle. */
interface FilterFacts {
  readonly pod: Pod;
  readonly scalar: ReadonlyMap<string, number>;
  readonly state: ClaimState;
  /** Where claims that are allocated can be used. */
  readonly onNodes: ReadonlyMap<ResourceClaim, NodeMatch>;
  readonly toAllocate: readonly ResourceClaim[];
  /** Undefined where nothing is to be allocated. */
  readonly devices: { readonly allocated: AllocatedDevices; readonly slices: readonly ResourceSlice[] } | undefined;
}

/** The plugin's PreFilter, and the filter that it makes. */
export const filterNodes =
  (context: DeviceContext): NonNullable<Plugin["preFilter"]> =>
  ({ pod: { pod, requests }, state: cycleState }) => {
    const { tracker, objects } = context;
    const used = resourceClaimsOf(pod, tracker.get);
    if (used.kind === "problem") return refuse(unresolvable(pluginName, used.reason));
    const extended = extendedClaimOf(context, pod, requests.scalar);
    const claims = extended ? [...used.claims, extended] : [...used.claims];
    if (claims.length === 0) return skip;
    const onNodes = new Map<ResourceClaim, NodeMatch>();
    for (const claim of claims) {
      const { allocation } = claim.status ?? {};
      if (allocation?.nodeSelector) onNodes.set(claim, compileNodeSelector(allocation.nodeSelector));
      const problem = allocation || claim === extended ? undefined : whyNotAllocatable(context, claim);
      if (problem) return refuse(problem);
    }
    const state: ClaimState = { claims, extended, unavailable: new Set(), byNode: new Map(), allocations: [] };
    cycleState.set(pluginName, state);
    const toAllocate = claims.filter(needsAllocation);
    const devices =
      toAllocate.length > 0 ? { allocated: tracker.allocated(), slices: objects.resourceSlices.list() } : undefined;
    const facts = { pod, scalar: requests.scalar ?? new Map(), state, onNodes, toAllocate, devices };
    return {
      kind: "filter",
      filter: {
        filter(info) {
          try {
            return filterNode(context, facts, info);
          } catch (error) {
            return errorStatus(pluginName, error);
          }
        },
      },
    };
  };

function filterNode(context: DeviceContext, facts: FilterFacts, info: NodeInfo): Status | undefined {
  const { state, onNodes, toAllocate, devices } = facts;
  const { claims, extended } = state;
  const { node } = info;
  if (node === undefined) return undefined;
  const needed = extendedOn(context, info, facts);
  if (needed && "code" in needed) return needed;
  if (needed === undefined && claims.every((claim) => claim === extended)) return undefined;
  const unavailable = claims.filter(
    (claim) => onNodes.get(claim)?.(node) === false || (!needsAllocation(claim) && !isUsable(context, claim)),
  );
  const wanted = toAllocate.map((claim) => (claim === extended && needed ? needed.claim : claim));
  const { objects, selectors, newUid } = context;
  const found =
    devices && allocateDevices({ ...devices, claims: wanted, node, classOf: objects.deviceClasses.get, selectors });
  if (found?.kind === "gaveUp")
    return errorStatus(pluginName, new Error(`node ${info.name}: timed out trying to allocate devices`));
  if (found?.kind === "unusable") return unresolvable(pluginName, found.reason);
  if (found?.kind === "none") return cannotAllocate;
  if (unavailable.length > 0) {
    for (const claim of unavailable) state.unavailable.add(claim);
    return notAvailable;
  }
  if (found)
    state.byNode.set(info.name, {
      results: found.allocations.map((one) => allocationResult(one, { nodeName: info.name, newShareId: newUid })),
      extended: needed?.claim,
      mappings: needed?.mappings ?? [],
    });
  return undefined;
}

function whyNotAllocatable({ tracker, objects }: DeviceContext, claim: ResourceClaim): Status | undefined {
  const key = `${claim.metadata?.namespace}/${claim.metadata?.name}`;
  if (tracker.isPending(claim.metadata?.uid ?? ""))
    return unresolvable(pluginName, `resource claim ${key} is in the process of being allocated`);
  for (const request of requestsOf(claim)) {
    const alternatives = alternativesOf(request);
    if (alternatives.length === 0)
      return unresolvable(pluginName, `resource claim ${key}, request ${request.name}: unknown request type`);
    for (const alternative of alternatives)
      if (objects.deviceClasses.get(alternative.className) === undefined)
        return unresolvable(
          pluginName,
          `request ${fullName(alternative)}: device class ${alternative.className} does not exist`,
        );
  }
  return undefined;
}

function isUsable({ runtime, bindingTimeoutMs }: DeviceContext, claim: ResourceClaim): boolean {
  const { ready, failure } = bindingReadiness(claim);
  return failure === undefined && (ready || !isBindingLate(claim, runtime.clock.now(), bindingTimeoutMs));
}
