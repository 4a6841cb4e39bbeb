import type { DeepReadonly } from "@coxswain/api";
import type { Node } from "@coxswain/api/core/v1";
import { getOwn } from "@coxswain/apimachinery/own";
import { quantityMilliValue } from "@coxswain/apimachinery/quantity";
import { zoneLabel } from "./pod-endpoint.js";

/** How many more connections than its share an endpoint may be given: 20 %. */
export const overloadThreshold = 0.2;

/** Each zone's share of the CPU of all nodes. */
export type ZoneRatios = ReadonlyMap<string, number>;

const excludedLabels = ["node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master"];

export const isNodeReady = ({ status }: DeepReadonly<Node>): boolean =>
  status?.conditions?.find(({ type }) => type === "Ready")?.status === "True";

/**
 * Pure: by the nodes that are ready and no control plane. Undefined where a node lacks its zone or its CPU, or all are in one
 * zone: connections cannot be divided then.
 */
export function zoneRatios(nodes: Iterable<DeepReadonly<Node>>): ZoneRatios | undefined {
  const cpuByZone = new Map<string, number>();
  let total = 0;
  for (const node of nodes) {
    const labels = node.metadata?.labels;
    if (excludedLabels.some((label) => getOwn(labels, label) !== undefined) || !isNodeReady(node)) continue;
    const zone = getOwn(labels, zoneLabel);
    const cpu = Number(quantityMilliValue(getOwn(node.status?.allocatable, "cpu") ?? "0"));
    if (!zone || cpu === 0) return undefined;
    cpuByZone.set(zone, (cpuByZone.get(zone) ?? 0) + cpu);
    total += cpu;
  }
  if (cpuByZone.size < 2) return undefined;
  return new Map(Array.from(cpuByZone, ([zone, cpu]) => [zone, cpu / total]));
}

/** So many of `total` endpoints a zone must have at least, that none of them is overloaded. */
export const minimumOf = (ratio: number, total: number): number =>
  Math.ceil(total * ratio * (1 / (1 + overloadThreshold)));

/** Pure: whether endpoints that were divided among zones like this are too few for one of them now. */
export function isOverloaded(endpointsByZone: ReadonlyMap<string, number>, ratios: ZoneRatios | undefined): boolean {
  if (endpointsByZone.size === 0) return false;
  if (ratios === undefined) return true;
  let total = 0;
  for (const count of endpointsByZone.values()) total += count;
  return [...ratios].some(([zone, ratio]) => (endpointsByZone.get(zone) ?? -1) < minimumOf(ratio, total));
}
