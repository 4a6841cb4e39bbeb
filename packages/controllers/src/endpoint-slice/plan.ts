import type { DeepReadonly } from "@coxswain/api";
import type { Node, Service } from "@coxswain/api/core/v1";
import type { EndpointPort } from "@coxswain/api/discovery/v1";
import { equalJson } from "@coxswain/apimachinery/json";
import type { CachedPod } from "../pods/pod-state.js";
import type { CachedEndpoint } from "../service-endpoints/endpoint-set.js";
import { portsKey, sortPorts } from "../service-endpoints/hash-order.js";
import { belongsInEndpoints, familyOf, hasClusterIp, type IpFamily } from "../service-endpoints/pod-addresses.js";
import type { Slice } from "../service-endpoints/slice-plan.js";
import { isOwnedBy, newSlice } from "./new-slice.js";
import { type Placement, placeEndpoints } from "./place-endpoints.js";
import { podEndpoint, podPorts } from "./pod-endpoint.js";

export interface SliceInputs {
  readonly service: DeepReadonly<Service>;
  /** That the service's selector matches. */
  readonly pods: readonly CachedPod[];
  /** The service's slices of this family. */
  readonly existing: readonly Slice[];
  readonly family: IpFamily;
  readonly nodeByName: (name: string) => DeepReadonly<Node> | undefined;
  readonly maxPerSlice: number;
}

export interface SlicePlan extends Placement {
  /** Pods whose nodes are not known. They are left out, and the service is looked at again. */
  readonly nodeless: readonly CachedPod[];
  /** How many endpoints there are with each set of ports. */
  readonly groupSizes: readonly number[];
}

/** Pure: the families that the service has. Those of an old server's service are guessed by its cluster IP. */
export function familiesOf(service: DeepReadonly<Service>): readonly IpFamily[] {
  const { ipFamilies = [], clusterIP } = service.spec ?? {};
  const known = ipFamilies.filter((family) => family === "IPv4" || family === "IPv6");
  if (known.length > 0) return [...new Set(known)];
  return hasClusterIp(service) ? [familyOf(clusterIP) ?? "IPv4"] : ["IPv4", "IPv6"];
}

/**
 * Pure: the slices of one family. Pods with the same ports share slices. A service without endpoints has one empty slice, so
 * that watchers can distinguish it from a service that nobody has looked at.
 */
export function planSlices({ service, pods, existing, family, nodeByName, maxPerSlice }: SliceInputs): SlicePlan {
  const groups = new Map<string, Group>();
  const groupOf = (ports: readonly DeepReadonly<EndpointPort>[]): Group => {
    const sorted = sortPorts(ports);
    const key = portsKey(sorted);
    const group = groups.get(key) ?? { ports: sorted, endpoints: [], slices: [], isDesired: false };
    groups.set(key, group);
    return group;
  };
  const nodeless: CachedPod[] = [];
  for (const pod of pods) {
    if (!belongsInEndpoints(pod, { includeTerminating: true })) continue;
    const group = groupOf(podPorts(service, pod));
    group.isDesired = true;
    const node = nodeByName(pod.spec?.nodeName ?? "");
    if (!node && !service.spec?.publishNotReadyAddresses) {
      nodeless.push(pod);
      continue;
    }
    const endpoint = podEndpoint(service, pod, { family, node });
    if (endpoint) group.endpoints.push(endpoint);
  }
  const notOwned: Slice[] = [];
  for (const slice of existing)
    if (isOwnedBy(slice, service)) groupOf(slice.ports ?? []).slices.push(slice);
    else notOwned.push(slice);

  const placed = [...groups.values()].map(({ ports, endpoints, slices, isDesired }): Placement => {
    if (!isDesired) return { create: [], update: [], remove: slices, added: 0, removed: 0 };
    return placeEndpoints({
      service,
      addressType: family,
      ports,
      desired: endpoints,
      existing: slices,
      maxPerSlice,
    });
  });
  const create = placed.flatMap((changes) => changes.create);
  const update = placed.flatMap((changes) => changes.update);
  const remove = [...notOwned, ...placed.flatMap((changes) => changes.remove)];
  const about = {
    nodeless,
    added: sum(placed.map((placement) => placement.added)),
    removed: sum(placed.map((placement) => placement.removed)),
    groupSizes: [...groups.values()].filter(({ isDesired }) => isDesired).map(({ endpoints }) => endpoints.length),
  };
  if (remove.length < existing.length || create.length > 0) return { create, update, remove, ...about };
  const placeholder = newSlice(service, { ports: [], addressType: family, endpoints: [] });
  const [only] = remove;
  return remove.length === 1 && only && isPlaceholder(only, placeholder)
    ? { create, update, remove: [], ...about }
    : { create: [placeholder], update, remove, ...about };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

interface Group {
  readonly ports: readonly DeepReadonly<EndpointPort>[];
  readonly endpoints: CachedEndpoint[];
  readonly slices: Slice[];
  /** Whether a pod has these ports. */
  isDesired: boolean;
}

/** Whether the slice is what an empty one would be. */
const isPlaceholder = (slice: Slice, placeholder: Slice): boolean =>
  (slice.endpoints ?? []).length === 0 &&
  (slice.ports ?? []).length === 0 &&
  slice.addressType === placeholder.addressType &&
  equalJson(slice.metadata?.labels, placeholder.metadata?.labels);
