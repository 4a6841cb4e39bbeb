import { createDeviceClassResolver } from "../devices/extended-resources.js";
import { createSelectors } from "../devices/selectors.js";
import type { PluginFactory } from "../framework/plugin.js";
import { createDefaultBinder } from "./default-binder/default-binder.js";
import { createDefaultPreemption, type DefaultPreemptionArgs } from "./default-preemption/default-preemption.js";
import { createDynamicResources, type DynamicResourcesArgs } from "./dynamic-resources/dynamic-resources.js";
import { createImageLocality } from "./image-locality/image-locality.js";
import { createInterPodAffinity, type InterPodAffinityArgs } from "./inter-pod-affinity/inter-pod-affinity.js";
import { createNodeAffinity, type NodeAffinityArgs } from "./node-affinity/node-affinity.js";
import { createNodeDeclaredFeatures } from "./node-declared-features/node-declared-features.js";
import { createNodeName } from "./node-name/node-name.js";
import { createNodePorts } from "./node-ports/node-ports.js";
import { type BalancedAllocationArgs, createBalancedAllocation } from "./node-resources/balanced-allocation.js";
import { prepareDeviceTotals } from "./node-resources/device-totals.js";
import { createFit, type DeviceTotals, type FitArgs } from "./node-resources/fit.js";
import { createNodeUnschedulable } from "./node-unschedulable/node-unschedulable.js";
import { createNodeVolumeLimits } from "./node-volume-limits/node-volume-limits.js";
import type { PluginContext } from "./plugin-context.js";
import { createPodTopologySpread, type PodTopologySpreadArgs } from "./pod-topology-spread/pod-topology-spread.js";
import { createPrioritySort } from "./priority-sort/priority-sort.js";
import { createSchedulingGates } from "./scheduling-gates/scheduling-gates.js";
import { createTaintToleration } from "./taint-toleration/taint-toleration.js";
import { createVolumeBinding, type VolumeBindingArgs } from "./volume-binding/volume-binding.js";
import { createVolumeRestrictions } from "./volume-restrictions/volume-restrictions.js";
import { createVolumeZone } from "./volume-zone/volume-zone.js";

/** All plugins of the scheduler itself, by name. */
export function createRegistry(context: PluginContext): Map<string, PluginFactory> {
  const { objects } = context;
  const deviceClassFor = context.gates.enabled("DRAExtendedResource")
    ? createDeviceClassResolver(objects.deviceClasses)
    : () => undefined;
  const selectors = createSelectors({
    consumableCapacity: context.gates.enabled("DRAConsumableCapacity"),
    listAttributes: context.gates.enabled("DRAListTypeAttributes"),
  });
  const deviceTotals: DeviceTotals = (resources) =>
    prepareDeviceTotals(resources, { objects, deviceClassFor, selectors });
  const tolerationRules = { comparison: context.gates.enabled("TaintTolerationComparisonOperators") };
  return new Map<string, PluginFactory>([
    ["SchedulingGates", createSchedulingGates],
    ["PrioritySort", createPrioritySort],
    ["NodeUnschedulable", () => createNodeUnschedulable(tolerationRules)],
    ["NodeName", createNodeName],
    ["TaintToleration", () => createTaintToleration(tolerationRules)],
    ["NodeAffinity", (args) => createNodeAffinity(args as NodeAffinityArgs)],
    ["NodePorts", createNodePorts],
    ["NodeResourcesFit", (args) => createFit({ args: args as FitArgs, deviceClassFor, deviceTotals })],
    ["VolumeRestrictions", () => createVolumeRestrictions(objects)],
    ["NodeVolumeLimits", () => createNodeVolumeLimits(objects, context.gates)],
    ["VolumeBinding", (args) => createVolumeBinding(args as VolumeBindingArgs, context)],
    ["VolumeZone", () => createVolumeZone(objects)],
    [
      "PodTopologySpread",
      (args) => createPodTopologySpread(args as PodTopologySpreadArgs, { objects, tolerationRules }),
    ],
    ["InterPodAffinity", (args) => createInterPodAffinity(args as InterPodAffinityArgs, objects)],
    ["DefaultPreemption", (args) => createDefaultPreemption({ args: args as DefaultPreemptionArgs, context })],
    [
      "NodeResourcesBalancedAllocation",
      (args) => createBalancedAllocation(args as BalancedAllocationArgs, deviceTotals),
    ],
    ["ImageLocality", createImageLocality],
    ["DynamicResources", (args) => createDynamicResources(args as DynamicResourcesArgs, { ...context, selectors })],
    ["NodeDeclaredFeatures", createNodeDeclaredFeatures],
    ["DefaultBinder", () => createDefaultBinder(context)],
  ]);
}
