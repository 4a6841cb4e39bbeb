import { getOwn } from "@coxswain/apimachinery/own";
import type { NodeInfo } from "../../cache/node-info.js";
import { mayBeDynamic, type RequestMapping, requestsForResources } from "../../devices/extended-resources.js";
import type { ResourceClaim } from "../../framework/cluster-objects.js";
import { type Status, unresolvable } from "../../framework/status.js";
import { namespaceOf, type Pod, uidOf } from "../../pod/objects.js";
import { type ClaimState, type DeviceContext, pluginName } from "./claim-state.js";
import { isOwnedBy } from "./pod-claims.js";

/** A claim for extended resources has this name until it is written. */
const extendedClaimName = "<extended-resources>";
const extendedClaimAnnotation = "resource.kubernetes.io/extended-resource-claim";
const cannotFit = unresolvable(pluginName, "cannot fit resource");

export const isWritten = ({ metadata }: ResourceClaim): boolean => metadata?.name !== extendedClaimName;

interface ExtendedQuestion {
  readonly pod: Pod;
  /** What the pod asks for, by resource. */
  readonly scalar: ReadonlyMap<string, number>;
  readonly state: ClaimState;
}

export interface ExtendedNeed {
  readonly claim: ResourceClaim;
  readonly mappings: readonly RequestMapping[];
}

/** The claim for the pod's extended resources: from an earlier attempt, or one that is not written yet. */
export function extendedClaimOf(
  { gates, deviceClassFor, tracker, newUid }: DeviceContext,
  pod: Pod,
  scalar: ReadonlyMap<string, number> | undefined,
): ResourceClaim | undefined {
  if (!gates.enabled("DRAExtendedResource") || scalar === undefined) return undefined;
  if (![...scalar].some(([resource, amount]) => amount > 0 && mayBeDynamic(resource) && deviceClassFor(resource)))
    return undefined;
  const made = tracker
    .list()
    .find((claim) => isOwnedBy(claim, pod) && getOwn(claim.metadata?.annotations, extendedClaimAnnotation) === "true");
  return made ?? newExtendedClaim(pod, newUid());
}

/** What of the pod's extended resources has to come from devices on this node. */
export function extendedOn(
  { deviceClassFor }: DeviceContext,
  node: NodeInfo,
  { pod, scalar, state }: ExtendedQuestion,
): Status | ExtendedNeed | undefined {
  const { extended, claims } = state;
  if (extended === undefined) return undefined;
  if (extended.spec.devices?.requests !== undefined)
    return unresolvable(pluginName, "cannot schedule extended resource claim");
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

/** The claim as it was planned for the node, written if it is new. */
export async function createExtended(
  { client }: DeviceContext,
  state: ClaimState,
  nodeName: string,
): Promise<ResourceClaim> {
  const planned = state.byNode.get(nodeName)?.extended;
  if (planned === undefined) throw new Error(`extended resource claim not found for node ${nodeName}`);
  if (isWritten(planned)) return planned;
  const { name: _, uid: __, ...metadata } = planned.metadata ?? {};
  return await client.resource.v1
    .resourceclaims(metadata.namespace ?? "")
    .create({ metadata, spec: planned.spec } as never);
}

/** Names the claim in the status of its pod. */
export async function patchExtendedStatus(
  { client }: DeviceContext,
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
