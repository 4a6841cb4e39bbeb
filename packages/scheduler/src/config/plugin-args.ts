import { ownEntries } from "@coxswain/apimachinery/own";
import type { PluginSets } from "./scheduler-config.js";

interface Gates {
  enabled(gate: string): boolean;
}

type Args = Readonly<Record<string, unknown>>;
type SetDefaults = (args: Args, gates: Gates) => Args;

const defaultResources = [
  { name: "cpu", weight: 1 },
  { name: "memory", weight: 1 },
];

/** Which plugins take arguments, and their defaults. */
const defaults: Readonly<Record<string, SetDefaults>> = {
  DefaultPreemption: (args) => ({ minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 100, ...args }),
  InterPodAffinity: (args) => ({ hardPodAffinityWeight: 1, ignorePreferredTermsOfExistingPods: false, ...args }),
  NodeAffinity: (args) => args,
  NodeResourcesBalancedAllocation: (args) => ({ ...args, resources: weighted(args["resources"]) }),
  NodeResourcesFit(args) {
    const strategy = (args["scoringStrategy"] as Args | undefined) ?? { type: "LeastAllocated" };
    return { ...args, scoringStrategy: { ...strategy, resources: weighted(strategy["resources"]) } };
  },
  PodTopologySpread: (args) => ({ ...args, defaultingType: args["defaultingType"] || "System" }),
  VolumeBinding: (args) => ({ bindTimeoutSeconds: 600, ...args }),
  DynamicResources: (args, gates) => ({
    ...(gates.enabled("DRASchedulerFilterTimeout") && { filterTimeout: "10s" }),
    ...(gates.enabled("DRADeviceBindingConditions") &&
      gates.enabled("DRAResourceClaimDeviceStatus") && { bindingTimeout: "10m0s" }),
    ...args,
  }),
};

/** Whether a plugin of ours takes arguments. */
export const takesArgs = (plugin: string): boolean => Object.hasOwn(defaults, plugin);

/** `given` with its defaults. */
export const completeArgs = (plugin: string, given: Args, gates: Gates): Args =>
  Object.hasOwn(defaults, plugin) ? (defaults[plugin]?.(given, gates) ?? given) : given;

/** The arguments of every plugin that is enabled somewhere, over those that are given. */
export function defaultPluginArgs(
  plugins: PluginSets,
  gates: Gates,
  given: ReadonlyMap<string, Args> = new Map(),
): ReadonlyMap<string, object> {
  const names = new Set(ownEntries(plugins).flatMap(([, set]) => set.enabled.map(({ name }) => name)));
  for (const name of given.keys()) names.add(name);
  const all = new Map<string, object>();
  for (const name of names)
    if (takesArgs(name) || given.has(name)) all.set(name, completeArgs(name, given.get(name) ?? {}, gates));
  return all;
}

function weighted(resources: unknown): readonly { readonly name: string; readonly weight: number }[] {
  const list = (resources as readonly { name: string; weight?: number }[] | undefined) ?? [];
  return list.length === 0 ? defaultResources : list.map(({ name, weight }) => ({ name, weight: weight || 1 }));
}
