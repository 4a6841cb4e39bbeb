import type { DeepReadonly } from "@coxswain/api";
import { quoteGo } from "@coxswain/apimachinery/field";
import { formatTime } from "@coxswain/apimachinery/time";
import { countGeneration } from "../../definition/keep.js";
import type { Strategy } from "../../definition/strategy.js";
import { dropDisabledDeviceFields } from "../disabled-fields.js";
import type { StoredResourceSlice } from "./stored.js";
import { checkResourceSlice, checkResourceSliceUpdate } from "./validation.js";

export const resourceSliceStrategy: Strategy<StoredResourceSlice> = {
  resetFields: [],
  prepareForCreate(slice, context) {
    slice.metadata.generation = 1;
    stampTaints(slice, context.now);
    dropDisabledDeviceFields("ResourceSlice", slice, undefined, context);
  },
  validateCreate: (slice) => checkResourceSlice(slice),
  warningsOnCreate: (slice) => warningsOf(slice),
  prepareForUpdate(slice, old, context) {
    stampTaints(slice, context.now);
    // Before anything is dropped, as upstream counts (pkg/registry/resource/resourceslice/strategy.go, PrepareForUpdate).
    countGeneration(slice, old, "spec");
    dropDisabledDeviceFields("ResourceSlice", slice, old, context);
  },
  validateUpdate: (slice, old) => checkResourceSliceUpdate(slice, old),
  warningsOnUpdate: (slice) => warningsOf(slice),
};

/** A taint counts from when it was first seen, unless it has its own time. */
function stampTaints({ spec }: StoredResourceSlice, now: number): void {
  for (const { taints = [] } of spec.devices ?? []) for (const taint of taints) taint.timeAdded ??= formatTime(now);
}

const warningsOf = ({ spec: { driver } }: DeepReadonly<StoredResourceSlice>): string[] =>
  driver === driver.toLowerCase()
    ? []
    : [`spec.driver: driver names should be lowercase; ${quoteGo(driver)} contains uppercase characters`];
