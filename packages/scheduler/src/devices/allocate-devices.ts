import type { DeviceClass, ResourceClaim, ResourceSlice } from "../framework/cluster-objects.js";
import type { Node } from "../pod/objects.js";
import { type AllocatedDevices, deviceId } from "./allocated-devices.js";
import { type Constraint, constraintOf } from "./constraints.js";
import { addCapacities, type Capacities, consumedBy, hasCapacity } from "./consumed-capacity.js";
import { type Counters, createCounters } from "./counters.js";
import {
  alternativesOf,
  type ClassOf,
  type Device,
  type DeviceRequest,
  isTaintedFor,
  requestsOf,
} from "./device-request.js";
import { gatherPools, isForNode, type Pool } from "./pools.js";
import type { Selectors } from "./selectors.js";

/** A device that was found for a request. */
export interface FoundDevice {
  readonly request: DeviceRequest;
  readonly device: Device;
  readonly slice: ResourceSlice;
  /** What of a shared device the request takes; undefined: the device is the claim's alone. */
  readonly consumed: Capacities | undefined;
}

/** What was found for one claim. */
export interface FoundAllocation {
  readonly claim: ResourceClaim;
  readonly devices: readonly FoundDevice[];
  /** The alternative that was taken of each request, with its class. */
  readonly taken: readonly { readonly request: DeviceRequest; readonly deviceClass: DeviceClass }[];
}

export type DeviceSearchResult =
  | { readonly kind: "found"; readonly allocations: readonly FoundAllocation[] }
  | { readonly kind: "none" }
  /** Some pool is wrong: no fault of the claims. */
  | { readonly kind: "unusable"; readonly reason: string }
  /** The search was given up. */
  | { readonly kind: "gaveUp" };

export interface DeviceSearchInput {
  readonly claims: readonly ResourceClaim[];
  readonly node: Node;
  readonly slices: readonly ResourceSlice[];
  readonly allocated: AllocatedDevices;
  readonly classOf: ClassOf;
  readonly selectors: Selectors;
}

/** The most devices that one claim may have. */
const maxDevices = 32;
/** Steps of one search. Upstream gives up after ten seconds; here nothing else runs meanwhile. */
const maxSteps = 20_000;

/**
 * Finds devices for all requests of all claims together, by trying one after the other and going back where it does not work
 * out: upstream's order, so its results.
 * @throws Error for claims that cannot be understood
 */
export function allocateDevices(input: DeviceSearchInput): DeviceSearchResult {
  const search = new Search(input);
  const outcome = search.claim(0);
  if (outcome === "done") return { kind: "found", allocations: search.result() };
  if (outcome === "gaveUp") return { kind: "gaveUp" };
  return search.pools.some(({ invalid }) => invalid !== undefined)
    ? { kind: "unusable", reason: "invalid resource pools were encountered" }
    : { kind: "none" };
}

/** `tooMany`: the claim would have more devices than it may; another alternative may need fewer. */
type Outcome = "done" | "failed" | "tooMany" | "gaveUp";

interface Alternative {
  readonly request: DeviceRequest;
  readonly deviceClass: DeviceClass;
  /** How many devices it needs. */
  readonly count: number;
  /** With mode All: which. */
  readonly all: readonly Place[] | undefined;
  readonly fits: Map<Device, boolean>;
}

interface Place {
  readonly pool: Pool;
  readonly slice: ResourceSlice;
  readonly device: Device;
}

/** Where in the pools to go on. */
interface Location {
  readonly pool: number;
  readonly slice: number;
  readonly device: number;
}

const start: Location = { pool: 0, slice: 0, device: 0 };

class Search {
  readonly pools: readonly Pool[];
  readonly #input: DeviceSearchInput;
  readonly #counters: Counters;
  readonly #constraints: readonly (readonly Constraint[])[];
  readonly #alternatives: readonly (readonly (readonly Alternative[])[])[];
  readonly #taken: number[][];
  readonly #found: FoundDevice[][];
  /** By device: the claims that have it in this search. */
  readonly #dedicated = new Map<string, Set<number>>();
  readonly #shared = new Map<string, Capacities>();
  #steps = 0;

  constructor(input: DeviceSearchInput) {
    this.#input = input;
    this.pools = gatherPools(input.slices, input.node);
    this.#counters = createCounters(input.allocated);
    this.#found = input.claims.map(() => []);
    this.#taken = input.claims.map(() => []);
    this.#alternatives = input.claims.map((claim) => this.#prepare(claim));
    this.#constraints = input.claims.map((claim) =>
      (claim.spec.devices?.constraints ?? []).map((constraint, at) =>
        constraintOf(constraint, `claim ${keyOf(claim)}, constraint #${at}`),
      ),
    );
  }

  result(): readonly FoundAllocation[] {
    return this.#input.claims.map((claim, at) => ({
      claim,
      devices: this.#found[at] ?? [],
      taken: (this.#alternatives[at] ?? []).flatMap((alternatives, request) => {
        const alternative = alternatives[this.#taken[at]?.[request] ?? 0];
        return alternative ? { request: alternative.request, deviceClass: alternative.deviceClass } : [];
      }),
    }));
  }

  /** All claims from this one on. */
  claim(at: number): Outcome {
    return at >= this.#input.claims.length ? "done" : this.#request(at, 0);
  }

  #request(claim: number, request: number): Outcome {
    const alternatives = this.#alternatives[claim]?.[request];
    if (alternatives === undefined) {
      const outcome = this.claim(claim + 1);
      return outcome === "tooMany" ? "failed" : outcome;
    }
    const isChoice = alternatives[0]?.request.parent !== undefined;
    let onlyTooMany = true;
    for (const [at, alternative] of alternatives.entries()) {
      const outcome = this.#device({ claim, request, alternative, index: 0 }, start);
      if (outcome === "done") {
        const taken = this.#taken[claim];
        if (taken) taken[request] = at;
        return "done";
      }
      if (outcome === "gaveUp" || !isChoice) return outcome;
      if (outcome !== "tooMany") onlyTooMany = false;
    }
    return onlyTooMany && isChoice ? "tooMany" : "failed";
  }

  /** One more device for a request, then the rest. */
  #device(at: Position, from: Location): Outcome {
    if (++this.#steps > maxSteps) return "gaveUp";
    const { claim, request, alternative, index } = at;
    if (alternative.all && alternative.all.length === 0) return "failed";
    if (index >= alternative.count) return this.#request(claim, request + 1);
    if ((this.#found[claim]?.length ?? 0) + alternative.count - index > maxDevices) return "tooMany";
    if (alternative.all) {
      const place = alternative.all[index];
      const undo = place && this.#take(at, place);
      if (undo === undefined) return "failed";
      const outcome = this.#device({ ...at, index: index + 1 }, start);
      if (outcome !== "done") undo();
      return outcome;
    }
    return this.#anyDevice(at, from);
  }

  #anyDevice(at: Position, from: Location): Outcome {
    const { alternative, claim } = at;
    for (let p = from.pool; p < this.pools.length; p++) {
      const pool = this.pools[p] as Pool;
      if (pool.incomplete || pool.invalid !== undefined) continue;
      for (let s = p === from.pool ? from.slice : 0; s < pool.slices.length; s++) {
        const slice = pool.slices[s] as ResourceSlice;
        const devices = slice.spec.devices ?? [];
        for (let d = p === from.pool && s === from.slice ? from.device : 0; d < devices.length; d++) {
          const place = { pool, slice, device: devices[d] as Device };
          const id = idOf(place);
          if (alternative.request.adminAccess ? this.#hasInClaim(id, claim) : this.#isTaken(id)) continue;
          if (!this.#fits(alternative, place, claim) || !this.#hasCapacity(alternative.request, place)) continue;
          const undo = this.#take(at, place);
          if (undo === undefined) continue;
          const next = { pool: p, slice: s, device: d + 1 };
          const outcome = this.#device({ ...at, index: at.index + 1 }, next);
          if (outcome === "done") return outcome;
          undo();
          if (outcome !== "failed") return outcome;
        }
      }
    }
    return "failed";
  }

  /** Gives the device to the request. Answers how to undo it; undefined where it cannot be given. */
  #take({ claim, alternative }: Position, place: Place): (() => void) | undefined {
    const { request } = alternative;
    const { device, pool, slice } = place;
    const id = idOf(place);
    const isShared = device.allowMultipleAllocations === true;
    if (!isShared && request.adminAccess && this.#hasInClaim(id, claim)) return undefined;
    if (!request.adminAccess && this.#isTaken(id)) return undefined;
    const undo: (() => void)[] = [];
    const undoAll = (): void => {
      for (const step of undo.reverse()) step();
    };
    const giveUp = (): undefined => {
      undoAll();
      return undefined;
    };
    const countsAlready = isShared && (this.#input.allocated.shared.has(id) || this.#shared.has(id));
    if (!countsAlready && (device.consumesCounters?.length ?? 0) > 0) {
      if (!this.#counters.consume(pool, device)) return undefined;
      undo.push(() => this.#counters.release(pool, device));
    }
    if (isTaintedFor(device, request)) return giveUp();
    for (const constraint of this.#constraints[claim] ?? []) {
      if (!constraint.add(request, device, slice.spec.driver)) {
        undoAll();
        if (alternative.all)
          throw new Error(
            `claim ${keyOf(this.#input.claims[claim] as ResourceClaim)}, request ${request.name}: cannot add device ${id} because a claim constraint would not be satisfied`,
          );
        return undefined;
      }
      undo.push(() => constraint.remove(request));
    }
    if (!this.#hasCapacity(request, place)) return giveUp();
    const consumed = isShared ? consumedBy(request.capacity, device) : undefined;
    undo.push(consumed ? this.#share(id, consumed) : this.#dedicate(id, claim));
    this.#found[claim]?.push({ request, device, slice, consumed });
    undo.push(() => void this.#found[claim]?.pop());
    return undoAll;
  }

  #share(id: string, consumed: Capacities): () => void {
    const before = this.#shared.get(id);
    const taken = before ?? new Map();
    this.#shared.set(id, taken);
    addCapacities(taken, consumed, 1);
    return () => {
      addCapacities(taken, consumed, -1);
      if (before === undefined) this.#shared.delete(id);
    };
  }

  #dedicate(id: string, claim: number): () => void {
    const claims = this.#dedicated.get(id) ?? new Set();
    this.#dedicated.set(id, claims.add(claim));
    return () => void claims.delete(claim);
  }

  #isTaken = (id: string): boolean =>
    this.#input.allocated.dedicated.has(id) || (this.#dedicated.get(id)?.size ?? 0) > 0;

  #hasInClaim = (id: string, claim: number): boolean => this.#dedicated.get(id)?.has(claim) ?? false;

  #hasCapacity = (request: DeviceRequest, place: Place): boolean => {
    const id = idOf(place);
    return hasCapacity(place.device, request.capacity, [this.#input.allocated.shared.get(id), this.#shared.get(id)]);
  };

  #fits(
    alternative: Omit<Alternative, "count" | "all">,
    { device, slice }: Place,
    claim: ResourceClaim | number,
  ): boolean {
    const known = alternative.fits.get(device);
    if (known !== undefined) return known;
    const { request, deviceClass, fits } = alternative;
    const { selectors, node } = this.#input;
    const owner = typeof claim === "number" ? (this.#input.claims[claim] as ResourceClaim) : claim;
    const answer =
      selectors.match(
        { expressions: expressionsOf(deviceClass.spec.selectors), where: `class ${deviceClass.metadata?.name}` },
        device,
        slice,
      ) &&
      selectors.match(
        { expressions: expressionsOf(request.selectors), where: `claim ${keyOf(owner)}` },
        device,
        slice,
      ) &&
      (slice.spec.perDeviceNodeSelection !== true || isForNode(device, node));
    fits.set(device, answer);
    return answer;
  }

  #prepare(claim: ResourceClaim): readonly (readonly Alternative[])[] {
    let least = 0;
    const prepared = requestsOf(claim).map((apiRequest) => {
      const alternatives = alternativesOf(apiRequest).map((request) => this.#prepareOne(claim, request));
      least += alternatives.reduce((fewest, { count }) => Math.min(fewest, count), Number.POSITIVE_INFINITY);
      return alternatives;
    });
    if (least > maxDevices)
      throw new Error(
        `claim ${keyOf(claim)}: number of requested devices ${least} exceeds the claim limit of ${maxDevices}`,
      );
    return prepared;
  }

  #prepareOne(claim: ResourceClaim, request: DeviceRequest): Alternative {
    const where = `claim ${keyOf(claim)}, request ${request.name}`;
    for (const [at, { cel }] of request.selectors.entries())
      if (cel === undefined)
        throw new Error(`${where}, selector #${at}: CEL expression empty (unsupported selector type?)`);
    const deviceClass = this.#input.classOf(request.className);
    if (deviceClass === undefined)
      throw new Error(
        `${where}: could not retrieve device class ${request.className}: deviceclass.resource.k8s.io "${request.className}" not found`,
      );
    const partial = { request, deviceClass, fits: new Map<Device, boolean>() };
    if (!request.all) return { ...partial, count: request.count, all: undefined };
    const all: Place[] = [];
    for (const pool of this.pools) {
      const name = `${pool.driver}/${pool.name}`;
      if (pool.incomplete)
        throw new Error(`${where}: asks for all devices, but resource pool ${name} is currently being updated`);
      if (pool.invalid !== undefined)
        throw new Error(`${where}: asks for all devices, but resource pool ${name} is currently invalid`);
      for (const slice of pool.slices)
        for (const device of slice.spec.devices ?? []) {
          const place = { pool, slice, device };
          if (this.#fits(partial, place, claim) && this.#hasCapacity(request, place)) all.push(place);
        }
    }
    return { ...partial, count: all.length, all };
  }
}

interface Position {
  readonly claim: number;
  readonly request: number;
  readonly alternative: Alternative;
  /** How many devices the request has so far. */
  readonly index: number;
}

const idOf = ({ pool, device }: Place): string => deviceId(pool.driver, pool.name, device.name);
const keyOf = ({ metadata }: ResourceClaim): string => `${metadata?.namespace}/${metadata?.name}`;
const expressionsOf = (
  selectors: readonly { readonly cel?: { readonly expression: string } }[] = [],
): readonly string[] => selectors.flatMap(({ cel }) => cel?.expression ?? []);
