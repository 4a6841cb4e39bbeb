import type { DeepReadonly } from "@coxswain/api";
import type { Service } from "@coxswain/api/core/v1";
import type { AddressType, EndpointPort } from "@coxswain/api/discovery/v1";
import { areEqualEndpoints, type CachedEndpoint, endpointKey, endpointSet } from "../service-endpoints/endpoint-set.js";
import type { Slice, SliceChanges } from "../service-endpoints/slice-plan.js";
import { haveLabelsChanged, newSlice, sliceLabels } from "./new-slice.js";

export interface PlacementInputs {
  readonly service: DeepReadonly<Service>;
  readonly addressType: AddressType;
  /** That all these endpoints have. */
  readonly ports: readonly DeepReadonly<EndpointPort>[];
  readonly desired: readonly CachedEndpoint[];
  /** Slices with the same ports. */
  readonly existing: readonly Slice[];
  readonly maxPerSlice: number;
}

export interface Placement extends SliceChanges {
  /** Endpoints that were in no slice. */
  readonly added: number;
  /** Endpoints that are in none any more. */
  readonly removed: number;
}

/**
 * Pure: which endpoint goes where, with few writes rather than well-filled slices, as every watcher receives every write.
 * Endpoints stay in their slices; new ones first fill slices that are written anyway, the fullest first; what remains goes
 * into the one slice that it fills best, if it fits there whole, and otherwise into new slices.
 */
export function placeEndpoints(inputs: PlacementInputs): Placement {
  const { service, addressType, ports, existing, maxPerSlice } = inputs;
  const missing = endpointSet(inputs.desired);
  const changed = new Map<Slice, CachedEndpoint[]>();
  const unchanged = new Set<Slice>();
  const remove: Slice[] = [];
  let removed = 0;
  for (const slice of existing) {
    const before = slice.endpoints ?? [];
    const { kept, isSame } = keepDesired(before, missing);
    removed += before.length - kept.length;
    if (isSame && !haveLabelsChanged(slice, service)) unchanged.add(slice);
    else if (kept.length === 0 && before.length > 0) remove.push(slice);
    else changed.set(slice, kept);
  }

  const rest = [...missing.values()];
  const added = rest.length;
  const fullestFirst = [...changed.values()].sort((a, b) => b.length - a.length);
  for (const kept of fullestFirst)
    for (const endpoint of rest.splice(0, Math.max(0, maxPerSlice - kept.length))) kept.push(endpoint);

  const create: Slice[] = [];
  while (rest.length > 0) {
    const target = rest.length < maxPerSlice ? bestFilled(unchanged, rest.length, maxPerSlice) : undefined;
    const endpoints = [...(target?.endpoints ?? []), ...rest.splice(0, maxPerSlice)];
    if (target === undefined) create.push(newSlice(service, { ports, addressType, endpoints }));
    else {
      unchanged.delete(target);
      changed.set(target, endpoints);
    }
  }
  const update = [...changed].map(([slice, endpoints]) => ({
    ...slice,
    metadata: { ...slice.metadata, labels: sliceLabels(service) },
    endpoints,
  }));
  return { create, update, remove, added, removed };
}

/** Takes from `missing` what is there already. `isSame`: nothing was dropped, and nothing has changed. */
function keepDesired(
  before: readonly CachedEndpoint[],
  missing: Map<string, CachedEndpoint>,
): { kept: CachedEndpoint[]; isSame: boolean } {
  const kept: CachedEndpoint[] = [];
  let isSame = true;
  for (const endpoint of before) {
    const key = endpointKey(endpoint);
    const wanted = missing.get(key);
    if (wanted === undefined) {
      isSame = false;
      continue;
    }
    missing.delete(key);
    kept.push(wanted);
    isSame &&= areEqualEndpoints(wanted, endpoint);
  }
  return { kept, isSame };
}

/** The slice that comes closest to its limit with so many endpoints more. */
function bestFilled(slices: Iterable<Slice>, count: number, maxPerSlice: number): Slice | undefined {
  let best: Slice | undefined;
  let leastRoom = maxPerSlice;
  for (const slice of slices) {
    const room = maxPerSlice - count - (slice.endpoints?.length ?? 0);
    if (room < 0 || room >= leastRoom) continue;
    best = slice;
    leastRoom = room;
  }
  return best;
}
