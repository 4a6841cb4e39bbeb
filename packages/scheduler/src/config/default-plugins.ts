import { extensionPoints } from "../framework/profile.js";
import type { EnabledPlugin, PluginSet, PluginSets } from "./scheduler-config.js";

interface Gates {
  enabled(gate: string): boolean;
}

/** Upstream's plugins in upstream's order (pkg/scheduler/apis/config/v1/default_plugins.go), with their weights. */
export function defaultPlugins(gates: Gates): readonly EnabledPlugin[] {
  const plugin = (name: string, weight = 0): EnabledPlugin => ({ name, weight });
  return [
    plugin("SchedulingGates"),
    plugin("PrioritySort"),
    plugin("NodeUnschedulable"),
    plugin("NodeName"),
    plugin("TaintToleration", 3),
    plugin("NodeAffinity", 2),
    plugin("NodePorts"),
    plugin("NodeResourcesFit", 1),
    plugin("VolumeRestrictions"),
    plugin("NodeVolumeLimits"),
    plugin("VolumeBinding"),
    plugin("VolumeZone"),
    plugin("PodTopologySpread", 2),
    plugin("InterPodAffinity", 2),
    // Before preemption: giving a claim back may be enough, and then no pod has to go.
    ...(gates.enabled("DynamicResourceAllocation") ? [plugin("DynamicResources", 2)] : []),
    plugin("DefaultPreemption"),
    plugin("NodeResourcesBalancedAllocation", 1),
    plugin("ImageLocality", 1),
    plugin("DefaultBinder"),
    ...(gates.enabled("NodeDeclaredFeatures") ? [plugin("NodeDeclaredFeatures")] : []),
  ];
}

/** A profile's plugins over the default ones. */
export function mergePlugins(custom: Partial<PluginSets>, gates: Gates): PluginSets {
  const none: PluginSet = { enabled: [], disabled: [] };
  const points = extensionPoints.map((point) => [point, mergePluginSet(none, custom[point] ?? none)] as const);
  return {
    ...(Object.fromEntries(points) as Omit<PluginSets, "multiPoint">),
    multiPoint: mergePluginSet({ enabled: defaultPlugins(gates), disabled: [] }, custom.multiPoint ?? none),
  };
}

/** A plugin that is enabled again keeps its place and takes its new weight; others come last. */
export function mergePluginSet(defaults: PluginSet, custom: PluginSet): PluginSet {
  const disabled = [...custom.disabled, ...defaults.disabled];
  const off = new Set(disabled);
  const replaced = new Set<EnabledPlugin>();
  const enabled: EnabledPlugin[] = [];
  if (!off.has("*"))
    for (const plugin of defaults.enabled) {
      if (off.has(plugin.name)) continue;
      const again = custom.enabled.findLast(({ name }) => name === plugin.name);
      if (again) replaced.add(again);
      enabled.push(again ?? plugin);
    }
  return { enabled: [...enabled, ...custom.enabled.filter((plugin) => !replaced.has(plugin))], disabled };
}
