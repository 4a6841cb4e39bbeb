import { getOwn } from "@coxswain/apimachinery/own";
import type { CachedNode } from "./node-health.js";

/** "Initial": the zone was not looked at yet. */
export type ZoneState = "Initial" | "Normal" | "PartialDisruption" | "FullDisruption";

export interface ZoneCounts {
  readonly ready: number;
  readonly notReady: number;
}

export interface DisruptionSettings {
  /** Nodes a second that are tainted in a zone where most nodes work. */
  readonly rate: number;
  /** The same in a large zone of which much fails; in a small one nothing is tainted then. */
  readonly secondaryRate: number;
  /** A zone with more nodes is large. */
  readonly largeZone: number;
  /** This fraction of not ready nodes, and at least three, is much. */
  readonly unhealthyFraction: number;
}

/** The failure domain of a node, by its region and zone; "" for none. */
export function zoneOf({ metadata }: CachedNode): string {
  const label = (name: string): string =>
    getOwn(metadata?.labels, `failure-domain.beta.kubernetes.io/${name}`) ??
    getOwn(metadata?.labels, `topology.kubernetes.io/${name}`) ??
    "";
  const [region, zone] = [label("region"), label("zone")];
  // The null character cannot be part of either.
  return region === "" && zone === "" ? "" : `${region}:\0:${zone}`;
}

/** Nodes with this label do not count. */
export const isExcluded = ({ metadata }: CachedNode): boolean =>
  getOwn(metadata?.labels, "node.kubernetes.io/exclude-disruption") !== undefined;

export function stateOfZone({ ready, notReady }: ZoneCounts, { unhealthyFraction }: DisruptionSettings): ZoneState {
  if (ready === 0 && notReady > 0) return "FullDisruption";
  return notReady > 2 && notReady / (ready + notReady) >= unhealthyFraction ? "PartialDisruption" : "Normal";
}

export interface DisruptionPlan {
  readonly states: ReadonlyMap<string, ZoneState>;
  /** Zones whose rate changes, to nodes a second. */
  readonly rates: ReadonlyMap<string, number>;
  /**
   * "enter": no node in any zone is ready any more, which is a failure of the control plane rather than of all nodes: taints that
   * make pods leave are removed. "leave": some are ready again, and all nodes get the time to report before they are checked.
   */
  readonly everywhere?: "enter" | "leave";
}

/** Pure: what the nodes' conditions mean for the rates at which zones' nodes are tainted. */
export function planDisruption(
  before: ReadonlyMap<string, ZoneState>,
  zones: ReadonlyMap<string, ZoneCounts>,
  settings: DisruptionSettings,
): DisruptionPlan {
  const states = new Map(Array.from(zones, ([zone, counts]) => [zone, stateOfZone(counts, settings)]));
  const isFull = (state: ZoneState): boolean => state === "FullDisruption";
  const was = new Map(Array.from(zones.keys(), (zone) => [zone, before.get(zone) ?? "Initial"] as const));
  const isEverywhere = [...states.values()].every(isFull);
  const wasEverywhere = [...was.values()].every(isFull);
  if (isEverywhere && wasEverywhere) return { states, rates: new Map() };
  if (isEverywhere)
    return { states, rates: new Map(Array.from(zones.keys(), (zone) => [zone, 0])), everywhere: "enter" };
  const rates = new Map<string, number>();
  for (const [zone, state] of states)
    if (wasEverywhere || was.get(zone) !== state) rates.set(zone, rateOf(state, zones.get(zone), settings));
  return { states, rates, ...(wasEverywhere && { everywhere: "leave" as const }) };
}

/** A zone of which nothing works gets the usual rate, while others work. */
function rateOf(state: ZoneState, counts: ZoneCounts | undefined, settings: DisruptionSettings): number {
  if (state !== "PartialDisruption") return settings.rate;
  const size = (counts?.ready ?? 0) + (counts?.notReady ?? 0);
  return size > settings.largeZone ? settings.secondaryRate : 0;
}
