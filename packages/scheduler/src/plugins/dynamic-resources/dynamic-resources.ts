import { compileNodeSelector, type NodeMatch } from "@coxswain/api/placement";
import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import { randomUuid } from "@coxswain/runtime/random";
import { parseDurationMs } from "@coxswain/apimachinery/time";
import type { NodeInfo } from "../../cache/node-info.js";
import { allocateDevices } from "../../devices/allocate-devices.js";
import type { AllocatedDevices } from "../../devices/allocated-devices.js";
import { type AllocationResult, allocationResult } from "../../devices/allocation-result.js";
import { alternativesOf, fullName, requestsOf } from "../../devices/device-request.js";
import {
  createDeviceClassResolver,
  mayBeDynamic,
  type RequestMapping,
  requestsForResources,
} from "../../devices/extended-resources.js";
import type { Selectors } from "../../devices/selectors.js";
import { actions, clusterEvent } from "../../framework/cluster-event.js";
import type { ResourceClaim, ResourceSlice } from "../../framework/cluster-objects.js";
import { type Plugin, refuse, skip } from "../../framework/plugin.js";
import { errorStatus, type Status, unresolvable, unschedulable } from "../../framework/status.js";
import { waitUntilSettled } from "../../framework/wait-until-settled.js";
import { namespaceOf, type Pod, uidOf } from "../../pod/objects.js";
import { normalizeScores } from "../normalize-scores.js";
import type { PluginContext } from "../plugin-context.js";
import { bindClaim, deleteClaim, releaseClaim } from "./bind-claim.js";
import { bindingReadiness, hasBindingConditions, isBindingLate } from "./binding-conditions.js";
import { createClaimTracker } from "./claim-tracker.js";
import { isOwnedBy, isReservedFor, resourceClaimsOf } from "./pod-claims.js";

export interface DynamicResourcesArgs {
  /** How long drivers may take for what they have to do before a pod is bound. */
  readonly bindingTimeout?: string;
}

const name = "DynamicResources";
const extendedClaimName = "<extended-resources>";
const extendedClaimAnnotation = "resource.kubernetes.io/extended-resource-claim";
/** The most alternatives that a request may have. */
const maxAlternatives = 8;
const cannotAllocate = unresolvable(name, "cannot allocate all claims");
const notAvailable = unresolvable(name, "resourceclaim not available on the node");
const cannotFit = unresolvable(name, "cannot fit resource");

/** What a cycle remembers. */
interface ClaimState {
  /** Those that the pod names; behind them the one for its extended resources. */
  readonly claims: ResourceClaim[];
  readonly extended: ResourceClaim | undefined;
  /** Claims that are allocated where the pod does not fit. */
  readonly unavailable: Set<ResourceClaim>;
  readonly byNode: Map<string, NodeAllocation>;
  /** Since `reserve`, by the claim's place. */
  allocations: (AllocationResult | undefined)[];
}

interface NodeAllocation {
  /** In the order of the claims that had no allocation. */
  readonly results: readonly AllocationResult[];
  readonly extended: ResourceClaim | undefined;
  readonly mappings: readonly RequestMapping[];
}

/** Allocates devices for the ResourceClaims of a pod, and for extended resources that a device class stands for. */
export function createDynamicResources(
  args: DynamicResourcesArgs,
  context: PluginContext & { readonly selectors: Selectors },
): Plugin {
  const { objects, gates, client, runtime, selectors } = context;
  const tracker = createClaimTracker(objects.resourceClaims);
  const deviceClassFor = createDeviceClassResolver(objects.deviceClasses);
  const withExtended = gates.enabled("DRAExtendedResource");
  const bindingTimeoutMs = parseDurationMs(args.bindingTimeout ?? "10m") ?? 600_000;
  const newUid = (): string => randomUuid(runtime.random);

  /** The claim for the pod's extended resources: from an earlier attempt, or one that is not written yet. */
  function extendedClaimOf(pod: Pod, scalar: ReadonlyMap<string, number> | undefined): ResourceClaim | undefined {
    if (!withExtended || scalar === undefined) return undefined;
    if (![...scalar].some(([resource, amount]) => amount > 0 && mayBeDynamic(resource) && deviceClassFor(resource)))
      return undefined;
    const made = tracker
      .list()
      .find(
        (claim) => isOwnedBy(claim, pod) && getOwn(claim.metadata?.annotations, extendedClaimAnnotation) === "true",
      );
    return made ?? newExtendedClaim(pod, newUid());
  }

  function whyNotAllocatable(claim: ResourceClaim): Status | undefined {
    const key = `${claim.metadata?.namespace}/${claim.metadata?.name}`;
    if (tracker.isPending(claim.metadata?.uid ?? ""))
      return unresolvable(name, `resource claim ${key} is in the process of being allocated`);
    for (const request of requestsOf(claim)) {
      const alternatives = alternativesOf(request);
      if (alternatives.length === 0)
        return unresolvable(name, `resource claim ${key}, request ${request.name}: unknown request type`);
      for (const alternative of alternatives)
        if (objects.deviceClasses.get(alternative.className) === undefined)
          return unresolvable(
            name,
            `request ${fullName(alternative)}: device class ${alternative.className} does not exist`,
          );
    }
    return undefined;
  }

  /** What of the pod's extended resources has to come from devices on this node. */
  function extendedOn(
    node: NodeInfo,
    pod: Pod,
    state: ClaimState,
    scalar: ReadonlyMap<string, number>,
  ): Status | { readonly claim: ResourceClaim; readonly mappings: readonly RequestMapping[] } | undefined {
    const { extended, claims } = state;
    if (extended === undefined) return undefined;
    if (extended.spec.devices?.requests !== undefined)
      return unresolvable(name, "cannot schedule extended resource claim");
    const resources: string[] = [];
    for (const [resource, amount] of scalar) {
      if (amount === 0 || !mayBeDynamic(resource)) continue;
      const allocatable = node.allocatable.scalar?.get(resource);
      if (!allocatable && deviceClassFor(resource)) resources.push(resource);
      else if (allocatable === undefined) return cannotFit;
    }
    if (claims.length === 1 && resources.length === 0) return undefined;
    const { requests, mappings } = requestsForResources(
      pod,
      resources,
      (resource) => deviceClassFor(resource)?.metadata?.name,
    );
    return { claim: { ...extended, spec: { devices: { requests } } }, mappings };
  }

  function isUsable(claim: ResourceClaim): boolean {
    const { ready, failure } = bindingReadiness(claim);
    return failure === undefined && (ready || !isBindingLate(claim, runtime.clock.now(), bindingTimeoutMs));
  }

  return {
    name,
    events: [
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
    ],
    preEnqueue(pod) {
      const used = resourceClaimsOf(pod, tracker.get);
      return used.kind === "problem" ? unresolvable(name, used.reason) : undefined;
    },
    preFilter({ pod: { pod, requests }, state: cycleState }) {
      const used = resourceClaimsOf(pod, tracker.get);
      if (used.kind === "problem") return refuse(unresolvable(name, used.reason));
      const extended = extendedClaimOf(pod, requests.scalar);
      const claims = extended ? [...used.claims, extended] : [...used.claims];
      if (claims.length === 0) return skip;
      const onNodes = new Map<ResourceClaim, NodeMatch>();
      for (const claim of claims) {
        const { allocation } = claim.status ?? {};
        if (allocation?.nodeSelector) onNodes.set(claim, compileNodeSelector(allocation.nodeSelector));
        const problem = allocation || claim === extended ? undefined : whyNotAllocatable(claim);
        if (problem) return refuse(problem);
      }
      const state: ClaimState = { claims, extended, unavailable: new Set(), byNode: new Map(), allocations: [] };
      cycleState.set(name, state);
      const toAllocate = claims.filter(({ status }) => status?.allocation === undefined);
      const world: { allocated: AllocatedDevices; slices: readonly ResourceSlice[] } | undefined =
        toAllocate.length > 0 ? { allocated: tracker.allocated(), slices: objects.resourceSlices.list() } : undefined;
      const filter = (info: NodeInfo): Status | undefined => {
        const { node } = info;
        if (node === undefined) return undefined;
        const needed = extendedOn(info, pod, state, requests.scalar ?? new Map());
        if (needed && "code" in needed) return needed;
        if (needed === undefined && used.claims.length === 0) return undefined;
        const unavailable = claims.filter(
          (claim) => onNodes.get(claim)?.(node) === false || (claim.status?.allocation && !isUsable(claim)),
        );
        const wanted = toAllocate.map((claim) => (claim === extended && needed ? needed.claim : claim));
        const found =
          world &&
          allocateDevices({
            ...world,
            claims: wanted,
            node,
            classOf: objects.deviceClasses.get,
            selectors,
          });
        if (found?.kind === "gaveUp")
          return errorStatus(name, new Error(`node ${info.name}: timed out trying to allocate devices`));
        if (found?.kind === "unusable") return unresolvable(name, found.reason);
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
      };
      return {
        kind: "filter",
        filter: {
          filter(info) {
            try {
              return filter(info);
            } catch (error) {
              return errorStatus(name, error);
            }
          },
        },
      };
    },
    async postFilter({ pod: { pod }, state: cycleState }) {
      const state = cycleState.get(name) as ClaimState | undefined;
      if (state === undefined) return { status: unschedulable(name, "no new claims to deallocate") };
      try {
        for (const claim of state.unavailable) {
          const users = claim.status?.reservedFor ?? [];
          if (claim === state.extended || !users.every(({ uid }) => uid === uidOf(pod)) || users.length > 1) continue;
          const { allocation: _, reservedFor: __, devices: ___, ...status } = claim.status ?? {};
          await client.resource.v1
            .resourceclaims(namespaceOf(pod))
            .updateStatus({ ...structuredClone(claim), status } as never);
          return { status: unschedulable(name, "deallocation of ResourceClaim completed") };
        }
        if (state.extended && state.extended.metadata?.name !== extendedClaimName) {
          await deleteClaim(state.extended, context);
          return { status: unschedulable(name, "deletion of ResourceClaim completed") };
        }
        return { status: unschedulable(name, "still not schedulable") };
      } catch (error) {
        return { status: errorStatus(name, error) };
      }
    },
    preScore({ state: cycleState }) {
      const state = cycleState.get(name) as ClaimState | undefined;
      return {
        kind: "score",
        scorer: {
          score: (info) => (state ? preferenceOf(state, state.byNode.get(info.name)) : 0),
          normalize: (scores) => normalizeScores(scores, false),
        },
      };
    },
    reserve({ state: cycleState }, nodeName) {
      const state = cycleState.get(name) as ClaimState | undefined;
      if (state === undefined) return undefined;
      const toAllocate = state.claims.filter(({ status }) => status?.allocation === undefined);
      const found = state.byNode.get(nodeName);
      if (toAllocate.length === 0 || (found === undefined && toAllocate.every((claim) => claim === state.extended)))
        return undefined;
      if (found === undefined) return errorStatus(name, new Error("claim allocation not found for node"));
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
    },
    unreserve({ pod: { pod }, state: cycleState }) {
      const state = cycleState.get(name) as ClaimState | undefined;
      for (const claim of state?.claims ?? []) {
        tracker.removePending(claim.metadata?.uid ?? "");
        tracker.restore(claim);
        if (claim.status?.allocation === undefined || !isReservedFor(claim, pod)) continue;
        context.inBackground(async () => {
          if (claim === state?.extended) await deleteClaim(claim, context);
          else await releaseClaim(client, claim, pod);
        });
      }
    },
    preBindPreFlight: ({ state }) => (state.has(name) ? { kind: "work", parallel: true } : skip),
    async preBind({ pod: { pod }, state: cycleState }, nodeName, signal) {
      const state = cycleState.get(name) as ClaimState | undefined;
      if (state === undefined) return undefined;
      try {
        for (const [at, claim] of state.claims.entries()) {
          if (isReservedFor(claim, pod)) continue;
          const allocation = state.allocations[at];
          // On a node that counts the resources itself no claim is needed for them.
          if (claim === state.extended && allocation === undefined) continue;
          const uid = claim.metadata?.uid ?? "";
          const written = claim === state.extended ? await createExtended(state, nodeName) : claim;
          const bound = await bindClaim(written, allocation, { client, runtime, pod, signal });
          tracker.assume(bound);
          tracker.removePending(uid);
          state.claims[at] = bound;
          if (claim === state.extended)
            await patchExtendedStatus(pod, bound, state.byNode.get(nodeName)?.mappings ?? []);
        }
        await waitForDrivers(state, { pod, nodeName, signal });
        return undefined;
      } catch (error) {
        return errorStatus(name, error);
      }
    },
  };

  async function createExtended(state: ClaimState, nodeName: string): Promise<ResourceClaim> {
    const planned = state.byNode.get(nodeName)?.extended;
    if (planned === undefined) throw new Error(`extended resource claim not found for node ${nodeName}`);
    if (planned.metadata?.name !== extendedClaimName) return planned;
    const { name: _, uid: __, ...metadata } = planned.metadata;
    return await client.resource.v1
      .resourceclaims(metadata.namespace ?? "")
      .create({ metadata, spec: planned.spec } as never);
  }

  async function patchExtendedStatus(
    pod: Pod,
    claim: ResourceClaim,
    mappings: readonly RequestMapping[],
  ): Promise<void> {
    const status = {
      extendedResourceClaimStatus: { requestMappings: mappings, resourceClaimName: claim.metadata?.name },
    };
    await client.core.v1
      .pods(namespaceOf(pod))
      .subresource<object>("status")
      .patch(pod.metadata?.name ?? "", { strategic: { status } as never });
  }

  async function waitForDrivers(
    state: ClaimState,
    { pod, nodeName, signal }: { pod: Pod; nodeName: string; signal: AbortSignal },
  ): Promise<void> {
    if (!state.claims.some(hasBindingConditions)) return;
    context.event(pod, {
      type: "Normal",
      reason: "BindingConditionsPending",
      action: "Scheduling",
      note: `waiting for binding conditions for device on node ${nodeName}`,
    });
    const isReady = (): boolean =>
      state.claims.every((known, at) => {
        const key = `${known.metadata?.namespace}/${known.metadata?.name}`;
        const claim = tracker.get(key);
        if (claim === undefined) throw new Error(`could not find ResourceClaim "${key}"`);
        state.claims[at] = claim;
        const { ready, failure } = bindingReadiness(claim);
        if (failure !== undefined) throw new Error(failure);
        if (!ready && isBindingLate(claim, runtime.clock.now(), bindingTimeoutMs))
          throw new Error(`device binding timeout: claim=${claim.metadata?.name}`);
        return ready;
      });
    await waitUntilSettled(isReady, { ...context, kinds: ["resourceClaims"], timeoutMs: bindingTimeoutMs, signal });
  }
}

const newExtendedClaim = (pod: Pod, uid: string): ResourceClaim => ({
  metadata: {
    namespace: namespaceOf(pod),
    name: extendedClaimName,
    // Only in memory: the server gives the claim another one.
    uid,
    generateName: `${pod.metadata?.name}-extended-resources-`,
    ownerReferences: [
      { apiVersion: "v1", kind: "Pod", name: pod.metadata?.name ?? "", uid: uidOf(pod), controller: true },
    ],
    annotations: { [extendedClaimAnnotation]: "true" },
  },
  spec: {},
});

/** More for alternatives that the user would rather have. */
function preferenceOf({ claims }: ClaimState, found: NodeAllocation | undefined): number {
  if (found === undefined) return 0;
  let score = 0;
  let at = 0;
  for (const claim of claims) {
    const allocation = claim.status?.allocation ?? found.results[at++];
    const taken = new Set(allocation?.devices?.results?.map(({ request }) => request));
    for (const request of requestsOf(claim))
      if (request.exactly === undefined)
        for (const [place, alternative] of alternativesOf(request).entries())
          if (taken.has(fullName(alternative))) score += maxAlternatives - place;
  }
  return score;
}
