import { builtInTypes } from "@coxswain/api/tables";
import type { StrategyContext } from "../definition/strategy.js";
import { dropDisabledFields } from "../gates/drop-disabled-fields.js";

/** Gates that the kinds of this group heed themselves. */
export const deviceGates: readonly string[] = [
  "DRAAdminAccess",
  "DRAConsumableCapacity",
  "DRADeviceBindingConditions",
  "DRADeviceTaints",
  "DRAExtendedResource",
  "DRAListTypeAttributes",
  "DRANodeAllocatableResources",
  "DRAPartitionableDevices",
  "DRAPrioritizedList",
  "DRAResourceClaimDeviceStatus",
];

/** Takes what is not enabled away. A feature is used as a whole here: who has one of its members may have the others too. */
export const dropDisabledDeviceFields = (
  type: string,
  object: unknown,
  old: unknown,
  { gates }: Pick<StrategyContext, "gates">,
): void =>
  dropDisabledFields(builtInTypes.get(`io.k8s.api.resource.v1.${type}`), object, old, gates, { wholeFeatures: true });
