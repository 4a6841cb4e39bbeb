import type { DeepReadonly } from "@coxswain/api";
import { keep, keepMetadata } from "../../definition/keep.js";
import type { Strategy, UpdateStrategy } from "../../definition/strategy.js";
import { dropDisabledDeviceFields } from "../disabled-fields.js";
import { sharedDevice, sharedDevicesOf } from "./allocated-devices.js";
import { checkResourceClaimStatus } from "./status-validation.js";
import type { StoredResourceClaim } from "./stored.js";
import { checkResourceClaim, checkResourceClaimUpdate } from "./validation.js";

export const resourceClaimStrategy: Strategy<StoredResourceClaim> = {
  resetFields: [["status"]],
  prepareForCreate(claim, context) {
    claim.status = {};
    dropDisabledDeviceFields("ResourceClaim", claim, undefined, context);
  },
  validateCreate: checkResourceClaim,
  prepareForUpdate(claim, old, context) {
    keep(claim, old, "status");
    dropDisabledDeviceFields("ResourceClaim", claim, old, context);
  },
  validateUpdate: (claim, old) => checkResourceClaimUpdate(claim, old),
};

export const resourceClaimStatusStrategy: UpdateStrategy<StoredResourceClaim> = {
  resetFields: [["metadata"], ["spec"]],
  prepareForUpdate(claim, old, context) {
    keep(claim, old, "spec");
    keepMetadata(claim, old);
    dropDisabledDeviceFields("ResourceClaim", claim, old, context);
    dropStatusOfFreedDevices(claim, old);
  },
  validateUpdate: checkResourceClaimStatus,
};

/** A client that frees a device need not know that its driver reported a status. */
function dropStatusOfFreedDevices(claim: StoredResourceClaim, old: DeepReadonly<StoredResourceClaim>): void {
  const [before, after] = [sharedDevicesOf(old.status.allocation), sharedDevicesOf(claim.status.allocation)];
  const kept =
    claim.status.devices?.filter((device) => !before.has(sharedDevice(device)) || after.has(sharedDevice(device))) ??
    [];
  if (kept.length > 0) claim.status.devices = kept;
  else delete claim.status.devices;
}
