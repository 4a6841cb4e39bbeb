import type { NodeInfo } from "../../cache/node-info.js";
import { allocatedDevices, deviceId, isAllocated } from "../../devices/allocated-devices.js";
import { mayBeDynamic } from "../../devices/extended-resources.js";
import { isForNode } from "../../devices/pools.js";
import type { Selectors } from "../../devices/selectors.js";
import type { ClusterObjects, DeviceClass } from "../../framework/cluster-objects.js";
import type { AllocationScorerOptions, ResourceWeight } from "./allocation-scorer.js";

export interface DeviceTotalsInput {
  readonly objects: Pick<ClusterObjects, "resourceClaims" | "resourceSlices">;
  deviceClassFor(resource: string): DeviceClass | undefined;
  readonly selectors: Selectors;
}

/** How many devices of a node stand for an extended resource that is scored, and how many of them are allocated. Undefined: none is. */
export function prepareDeviceTotals(
  resources: readonly ResourceWeight[],
  { objects, deviceClassFor, selectors }: DeviceTotalsInput,
): AllocationScorerOptions["dynamic"] | undefined {
  const classes = new Map<string, DeviceClass>();
  for (const { name } of resources) {
    const deviceClass = mayBeDynamic(name) ? deviceClassFor(name) : undefined;
    if (deviceClass) classes.set(name, deviceClass);
  }
  if (classes.size === 0) return undefined;
  const allocated = allocatedDevices(objects.resourceClaims.list());
  const slices = objects.resourceSlices.list();
  return ({ node }: NodeInfo, resource) => {
    const deviceClass = classes.get(resource);
    if (deviceClass === undefined || node === undefined) return undefined;
    const expressions = (deviceClass.spec.selectors ?? []).flatMap(({ cel }) => cel?.expression ?? []);
    const totals = { allocatable: 0, allocated: 0 };
    try {
      for (const slice of slices) {
        const { driver, pool, devices = [], perDeviceNodeSelection } = slice.spec;
        if (!perDeviceNodeSelection && !isForNode(slice.spec, node)) continue;
        for (const device of devices) {
          if (perDeviceNodeSelection && !isForNode(device, node)) continue;
          if (!selectors.match({ expressions, where: `class ${deviceClass.metadata?.name}` }, device, slice)) continue;
          totals.allocatable++;
          if (isAllocated(allocated, deviceId(driver, pool.name, device.name))) totals.allocated++;
        }
      }
    } catch {
      // A selector that fails: the resource is left out of the score, as upstream does (pkg/scheduler/framework/plugins/noderesources/resource_allocation.go, calculateDRAExtendedResourceAllocatableRequest).
      return undefined;
    }
    return totals;
  };
}
