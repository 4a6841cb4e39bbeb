import type { Slice } from "../service-endpoints/slice-plan.js";
import { type HintedSlices, isEndpointReady, type SlicesToHint, withHints } from "./hinted-slices.js";
import { minimumOf, type ZoneRatios } from "./zone-capacity.js";

export type ZoneHintsPlan =
  | (HintedSlices & {
      readonly kind: "hinted";
      /** How many endpoints each zone was given. */
      readonly endpointsByZone: ReadonlyMap<string, number>;
    })
  /** Hints would overload endpoints, or too little is known: there must be none. */
  | { readonly kind: "impossible"; readonly message: string };

/** How many endpoints a zone should have. */
interface Allocation {
  readonly minimum: number;
  readonly maximum: number;
  readonly desired: number;
}

/**
 * Pure: divides the endpoints among zones in proportion to the CPU of their nodes. Endpoints are for their own zone first;
 * zones with too many then give some to zones with too few. Slices that need no write keep their hints if they can.
 */
export function addZoneHints(slices: SlicesToHint, ratios: ZoneRatios | undefined): ZoneHintsPlan {
  const allocations = allocate(readyEndpoints(slices), ratios);
  if (typeof allocations === "string") return { kind: "impossible", message: allocations };

  const endpointsByZone = new Map<string, number>();
  const outdated: Slice[] = [];
  for (const slice of slices.unchanged) {
    const hints = hintsThatFit(slice, endpointsByZone, allocations);
    if (hints === undefined) outdated.push(slice);
    else for (const [zone, count] of hints) add(endpointsByZone, zone, count);
  }
  const [create, update] = [slices.create, [...slices.update, ...outdated]];

  for (const { endpoints } of [...create, ...update])
    for (const endpoint of endpoints ?? []) {
      if (!isEndpointReady(endpoint)) continue;
      if (!endpoint.zone) return { kind: "impossible", message: "One or more endpoints do not have a zone specified" };
      add(endpointsByZone, endpoint.zone, 1);
    }

  const { giving, receiving } = surplusAndNeed(allocations, endpointsByZone);
  const hint = (slice: Slice): Slice =>
    withHints(slice, (endpoint) => {
      if (!isEndpointReady(endpoint)) return undefined;
      const own = endpoint.zone ?? "";
      const [receiver] = receiving.keys();
      if (receiver === undefined || !giving.has(own)) return { forZones: [{ name: own }] };
      takeOne(giving, own);
      takeOne(receiving, receiver);
      add(endpointsByZone, own, -1);
      add(endpointsByZone, receiver, 1);
      return { forZones: [{ name: receiver }] };
    });
  const hinted = { create: create.map(hint), update: update.map(hint) };
  if (endpointsByZone.size === 0) return { kind: "impossible", message: "No hints allocated for zones" };
  return { kind: "hinted", ...hinted, endpointsByZone };
}

const add = (counts: Map<string, number>, zone: string, count: number): void =>
  void counts.set(zone, (counts.get(zone) ?? 0) + count);

function takeOne(counts: Map<string, number>, zone: string): void {
  const left = (counts.get(zone) ?? 0) - 1;
  if (left > 0) counts.set(zone, left);
  else counts.delete(zone);
}

const readyEndpoints = ({ create, update, unchanged }: SlicesToHint): number =>
  [...create, ...update, ...unchanged].reduce(
    (count, { endpoints }) => count + (endpoints ?? []).filter(isEndpointReady).length,
    0,
  );

/** A text: why it cannot be done. */
function allocate(endpoints: number, ratios: ZoneRatios | undefined): Map<string, Allocation> | string {
  if (ratios === undefined)
    return "Insufficient Node information: allocatable CPU or zone not specified on one or more nodes";
  const numbers = `(${endpoints} endpoints, ${ratios.size} zones)`;
  if (ratios.size > endpoints) return `Insufficient number of endpoints ${numbers}`;
  const minima = new Map(Array.from(ratios, ([zone, ratio]) => [zone, minimumOf(ratio, endpoints)]));
  let total = 0;
  for (const minimum of minima.values()) total += minimum;
  if (total > endpoints)
    return `Unable to allocate minimum required endpoints to each zone without exceeding overload threshold ${numbers}`;
  return new Map(
    Array.from(ratios, ([zone, ratio]) => {
      const minimum = minima.get(zone) ?? 0;
      const desired = Math.max(ratio * endpoints, minimum);
      return [zone, { minimum, maximum: minimum + endpoints - total, desired }];
    }),
  );
}

/** The hints that the slice has by zone; undefined: an endpoint has none, or they give a zone more than it may have. */
function hintsThatFit(
  { endpoints }: Slice,
  allocated: ReadonlyMap<string, number>,
  allocations: ReadonlyMap<string, Allocation>,
): ReadonlyMap<string, number> | undefined {
  const counts = new Map<string, number>();
  for (const endpoint of endpoints ?? []) {
    if (!isEndpointReady(endpoint)) continue;
    const zones = endpoint.hints?.forZones ?? [];
    if (zones.length === 0) return undefined;
    for (const { name } of zones) add(counts, name, 1);
  }
  for (const [zone, count] of counts)
    if (count + (allocated.get(zone) ?? 0) > (allocations.get(zone)?.maximum ?? -1)) return undefined;
  return counts;
}

/** How many endpoints each zone gives and receives. One is moved only while that is worth it: fractions remain. */
function surplusAndNeed(
  allocations: ReadonlyMap<string, Allocation>,
  allocated: ReadonlyMap<string, number>,
): { giving: Map<string, number>; receiving: Map<string, number> } {
  const surplus = new Map<string, number>();
  const need = new Map<string, number>();
  for (const [zone, { desired }] of allocations) {
    const difference = (allocated.get(zone) ?? 0) - desired;
    if (difference > 0) surplus.set(zone, difference);
    else if (difference < 0) need.set(zone, -difference);
  }
  const giving = new Map<string, number>();
  const receiving = new Map<string, number>();
  for (;;) {
    const [giver, toGive] = most(surplus);
    const [receiver, toReceive] = most(need);
    if (giver === undefined || receiver === undefined) break;
    if (toGive < 0.5 || toReceive < 0.5 || (toGive < 1 && toReceive < 1)) break;
    add(giving, giver, 1);
    add(surplus, giver, -1);
    add(receiving, receiver, 1);
    add(need, receiver, -1);
  }
  return { giving, receiving };
}

function most(counts: ReadonlyMap<string, number>): [zone: string | undefined, count: number] {
  let [zone, most]: [string | undefined, number] = [undefined, 0];
  for (const [each, count] of counts) if (count > most) [zone, most] = [each, count];
  return [zone, most];
}
