import { compileNodeSelector, type NodeMatch } from "@coxswain/api/placement";
import type { ResourceSlice } from "../framework/cluster-objects.js";
import type { Node } from "../pod/objects.js";
import type { Device } from "./device-request.js";

/** The devices of one pool that a node can reach. */
export interface Pool {
  readonly driver: string;
  readonly name: string;
  /** Not all of its slices are there: it is being updated. */
  readonly incomplete: boolean;
  /** What is wrong with it. */
  readonly invalid: string | undefined;
  readonly slices: readonly ResourceSlice[];
  /** Of the same pool, for other nodes: they consume the same counters. */
  readonly otherSlices: readonly ResourceSlice[];
  /** Amounts by counter, by set. */
  readonly counterSets: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

type Selector = NonNullable<ResourceSlice["spec"]["nodeSelector"]>;
const compiled = new WeakMap<object, NodeMatch>();

function selectorMatches(selector: Selector, node: Node): boolean {
  let match = compiled.get(selector);
  if (match === undefined) compiled.set(selector, (match = compileNodeSelector(selector)));
  return match(node);
}

interface NodeChoice {
  readonly nodeName?: string;
  readonly allNodes?: boolean;
  readonly nodeSelector?: Selector;
}

/** Whether a slice, or a device, is for this node. */
export function isForNode({ nodeName, allNodes, nodeSelector }: NodeChoice, node: Node): boolean {
  if (nodeName) return node.metadata?.name === nodeName;
  if (allNodes) return true;
  return nodeSelector !== undefined && selectorMatches(nodeSelector, node);
}

const devicesOf = ({ spec }: ResourceSlice): readonly Device[] => spec.devices ?? [];

function concerns({ spec }: ResourceSlice, node: Node): boolean {
  if ((spec.sharedCounters?.length ?? 0) > 0) return true;
  if (spec.nodeName || spec.allNodes || spec.nodeSelector) return isForNode(spec, node);
  return spec.perDeviceNodeSelection === true && (spec.devices ?? []).some((device) => isForNode(device, node));
}

/** Pools of which all slices are there and agree, in order of driver and name; those with binding conditions last. */
export function gatherPools(slices: readonly ResourceSlice[], node: Node): readonly Pool[] {
  const groups = new Map<string, ResourceSlice[]>();
  for (const slice of slices) {
    if (!concerns(slice, node)) continue;
    const key = `${slice.spec.driver}/${slice.spec.pool.name}`;
    const group = groups.get(key);
    const known = group?.[0]?.spec.pool.generation;
    if (group === undefined || known === undefined || slice.spec.pool.generation > known) groups.set(key, [slice]);
    else if (slice.spec.pool.generation === known) group.push(slice);
  }
  const pools = [...groups.values()].flatMap((group) => poolOf(group, slices) ?? []);
  const byName = (a: Pool, b: Pool): number => compare(a.driver, b.driver) || compare(a.name, b.name);
  return [
    ...pools.filter((pool) => !hasBindingConditions(pool)).sort(byName),
    ...pools.filter(hasBindingConditions).sort(byName),
  ];
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const hasBindingConditions = ({ slices }: Pool): boolean =>
  slices.some((slice) => devicesOf(slice).some(({ bindingConditions }) => bindingConditions !== undefined));

function poolOf(own: readonly ResourceSlice[], all: readonly ResourceSlice[]): Pool | undefined {
  const [first] = own;
  if (first === undefined) return undefined;
  const { driver, pool } = first.spec;
  const empty: Pool = {
    driver,
    name: pool.name,
    incomplete: false,
    invalid: undefined,
    slices: [],
    otherSlices: [],
    counterSets: new Map(),
  };
  let others: readonly ResourceSlice[] = [];
  if (own.length !== pool.resourceSliceCount) {
    const ofPool = all.filter(({ spec }) => spec.driver === driver && spec.pool.name === pool.name);
    // What the node sees was replaced for other nodes already.
    if (ofPool.some(({ spec }) => spec.pool.generation > pool.generation)) return undefined;
    const current = ofPool.filter(({ spec }) => spec.pool.generation === pool.generation);
    if (current.length !== pool.resourceSliceCount) return { ...empty, incomplete: true };
    others = current.filter((slice) => !own.includes(slice));
  }
  const sorted = [...own].sort((a, b) => compare(a.metadata?.name ?? "", b.metadata?.name ?? ""));
  const slices = sorted.filter(({ spec }) => (spec.sharedCounters?.length ?? 0) === 0);
  const counterSets = new Map<string, ReadonlyMap<string, string>>();
  for (const { spec } of sorted)
    for (const { name, counters } of spec.sharedCounters ?? []) {
      if (counterSets.has(name)) return { ...empty, invalid: `duplicate counter set name ${name}` };
      counterSets.set(name, new Map(Object.entries(counters).map(([counter, { value }]) => [counter, value])));
    }
  const invalid = whyInvalid(slices, [...sorted, ...others], counterSets);
  return invalid ? { ...empty, invalid } : { ...empty, slices, otherSlices: others, counterSets };
}

function whyInvalid(
  slices: readonly ResourceSlice[],
  all: readonly ResourceSlice[],
  counterSets: Pool["counterSets"],
): string | undefined {
  const names = new Set<string>();
  for (const { name } of slices.flatMap(devicesOf)) {
    if (names.has(name)) return `duplicate device name ${name}`;
    names.add(name);
  }
  for (const { consumesCounters = [] } of all.flatMap(devicesOf))
    for (const { counterSet, counters } of consumesCounters) {
      const known = counterSets.get(counterSet);
      if (known === undefined) return `counter set ${counterSet} not found`;
      for (const counter of Object.keys(counters))
        if (!known.has(counter)) return `counter ${counter} not found in counter set ${counterSet}`;
    }
  return undefined;
}
