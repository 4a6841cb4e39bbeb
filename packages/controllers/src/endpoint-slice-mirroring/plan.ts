import type { DeepReadonly } from "@coxswain/api";
import type { EndpointAddress, Endpoints } from "@coxswain/api/core/v1";
import type { EndpointPort } from "@coxswain/api/discovery/v1";
import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import { formatIp, parseIp } from "@coxswain/apimachinery/validation";
import { slicePrefix } from "../endpoint-slice/new-slice.js";
import { areEqualEndpoints, type CachedEndpoint, endpointKey, endpointSet } from "../service-endpoints/endpoint-set.js";
import { portsKey, sortPorts } from "../service-endpoints/hash-order.js";
import { leaderAnnotation } from "../service-endpoints/leader-annotation.js";
import { familyOf, type IpFamily } from "../service-endpoints/pod-addresses.js";
import { repackSubsets } from "../service-endpoints/repack-subsets.js";
import { managedByLabel, serviceNameLabel } from "../service-endpoints/slice-labels.js";
import type { Slice, SliceChanges } from "../service-endpoints/slice-plan.js";
import { triggerTimeAnnotation } from "../service-endpoints/trigger-times.js";

/** The value of the label by which the controller knows its slices. */
export const managerName = "endpointslicemirroring-controller.k8s.io";

const skipLabel = "endpointslice.kubernetes.io/skip-mirror";
const lastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

/** Pure: whether these Endpoints are to be mirrored, by their own labels and annotations. */
export const mayMirror = ({ metadata }: DeepReadonly<Endpoints>): boolean =>
  getOwn(metadata?.labels, skipLabel) !== "true" && getOwn(metadata?.annotations, leaderAnnotation) === undefined;

export interface MirrorPlan extends SliceChanges {
  /** Addresses that are no IP addresses. */
  readonly invalid: number;
  /** Addresses that are left out for being invalid or too many. */
  readonly skipped: number;
  /** Slices that are as they should be. */
  readonly unchanged: readonly Slice[];
  /** Endpoints that come, change and go. */
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  /** How many endpoints and slices there will be, for each set of ports and family. */
  readonly groups: readonly { readonly endpoints: number; readonly slices: number }[];
}

export interface MirrorInputs {
  readonly endpoints: DeepReadonly<Endpoints>;
  /** The slices that were made for them. */
  readonly existing: readonly Slice[];
  readonly maxPerSubset: number;
}

/** Pure: one slice for each subset and address family. */
export function planMirror({ endpoints, existing, maxPerSubset }: MirrorInputs): MirrorPlan {
  const groups = new Map<string, Group>();
  const groupOf = (ports: readonly DeepReadonly<EndpointPort>[], family: string): Group => {
    const sorted = sortPorts(ports);
    const key = `${family} ${portsKey(sorted)}`;
    const group = groups.get(key) ?? { ports: sorted, family: family as IpFamily, desired: [], slices: [] };
    groups.set(key, group);
    return group;
  };
  let [invalid, skipped] = [0, 0];
  for (const { addresses, notReadyAddresses, ports } of repackSubsets(endpoints.subsets ?? [])) {
    const slicePorts = (ports ?? []).map(({ name = "", port, protocol, appProtocol }) => ({
      name,
      port,
      ...(protocol && { protocol }),
      ...(appProtocol !== undefined && { appProtocol }),
    }));
    let added = 0;
    const add = (list: readonly DeepReadonly<EndpointAddress>[] | undefined, ready: boolean): void => {
      for (const address of list ?? []) {
        const family = added < maxPerSubset ? familyOf(address.ip) : undefined;
        if (family === undefined) {
          skipped++;
          if (added < maxPerSubset) invalid++;
          continue;
        }
        added++;
        groupOf(slicePorts, family).desired.push(endpointOf(address, ready));
      }
    };
    add(addresses, true);
    add(notReadyAddresses, false);
  }
  for (const slice of existing) groupOf(slice.ports ?? [], slice.addressType).slices.push(slice);
  const plans = Array.from(groups.values(), (group) => planGroup(endpoints, group));
  const sum = (count: (plan: GroupPlan) => number): number => plans.reduce((total, plan) => total + count(plan), 0);
  return {
    create: plans.flatMap((plan) => plan.create),
    update: plans.flatMap((plan) => plan.update),
    remove: plans.flatMap((plan) => plan.remove),
    unchanged: plans.flatMap((plan) => plan.unchanged),
    invalid,
    skipped,
    added: sum((plan) => plan.added),
    updated: sum((plan) => plan.updated),
    removed: sum((plan) => plan.removed),
    groups: plans.map(({ endpoints: count, create, update, unchanged }) => ({
      endpoints: count,
      slices: create.length + update.length + unchanged.length,
    })),
  };
}

interface GroupPlan extends Pick<MirrorPlan, "create" | "update" | "remove" | "unchanged">, EndpointChanges {
  readonly endpoints: number;
}

interface EndpointChanges {
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
}

interface Group {
  readonly ports: readonly DeepReadonly<EndpointPort>[];
  readonly family: IpFamily;
  readonly desired: CachedEndpoint[];
  readonly slices: Slice[];
}

function planGroup(endpoints: DeepReadonly<Endpoints>, { ports, family, desired, slices }: Group): GroupPlan {
  const wanted = endpointSet(desired);
  const [first, ...others] = slices;
  const gone = desired.length === 0 ? slices : first ? [first] : [];
  const nothing = {
    create: [],
    update: [],
    remove: [],
    unchanged: [],
    endpoints: wanted.size,
    ...changesOf(
      gone.flatMap((slice) => slice.endpoints ?? []),
      wanted,
    ),
  };
  if (desired.length === 0) return { ...nothing, remove: slices };
  const isSame = nothing.added + nothing.updated + nothing.removed === 0;
  if (first && isSame && hasMetadataOf(first, endpoints)) return { ...nothing, remove: others, unchanged: [first] };
  const { name = "", namespace = "", uid = "" } = endpoints.metadata ?? {};
  const mirror: Slice = {
    metadata: {
      ...(first ? { name: first.metadata?.name ?? "" } : { generateName: slicePrefix(name) }),
      namespace,
      labels: { ...endpoints.metadata?.labels, [serviceNameLabel]: name, [managedByLabel]: managerName },
      annotations: annotationsOf(endpoints),
      ownerReferences: [{ apiVersion: "v1", kind: "Endpoints", name, uid, controller: true, blockOwnerDeletion: true }],
    },
    addressType: family,
    endpoints: [...wanted.values()],
    ports,
  };
  return first ? { ...nothing, update: [mirror], remove: others } : { ...nothing, create: [mirror] };
}

function endpointOf(
  { ip, targetRef, nodeName, hostname }: DeepReadonly<EndpointAddress>,
  ready: boolean,
): CachedEndpoint {
  const address = parseIp(ip);
  return {
    addresses: address ? [formatIp(address)] : [],
    conditions: { ready },
    ...(hostname && { hostname }),
    ...(targetRef && { targetRef }),
    ...(nodeName !== undefined && { nodeName }),
  };
}

/** All but those that describe how the Endpoints came about. */
function annotationsOf({ metadata }: DeepReadonly<Endpoints>): Record<string, string> {
  const { [triggerTimeAnnotation]: _, [lastAppliedAnnotation]: __, ...others } = metadata?.annotations ?? {};
  return others;
}

function changesOf(existing: readonly CachedEndpoint[], wanted: ReadonlyMap<string, CachedEndpoint>): EndpointChanges {
  const kept = existing.filter((endpoint) => wanted.has(endpointKey(endpoint)));
  const isChanged = (endpoint: CachedEndpoint): boolean => {
    const next = wanted.get(endpointKey(endpoint));
    return next !== undefined && !areEqualEndpoints(next, endpoint);
  };
  return {
    added: wanted.size - kept.length,
    updated: kept.filter(isChanged).length,
    removed: existing.length - kept.length,
  };
}

function hasMetadataOf(slice: Slice, endpoints: DeepReadonly<Endpoints>): boolean {
  const { labels, annotations, ownerReferences } = slice.metadata ?? {};
  const { [serviceNameLabel]: _, [managedByLabel]: __, ...ownLabels } = labels ?? {};
  return (
    equalJson(ownLabels, endpoints.metadata?.labels ?? {}) &&
    equalJson(annotations ?? {}, annotationsOf(endpoints)) &&
    // Those of a namesake of old would be collected with it.
    !(ownerReferences ?? []).some(
      ({ kind, name, uid }) =>
        kind === "Endpoints" && name === endpoints.metadata?.name && uid !== endpoints.metadata?.uid,
    )
  );
}
