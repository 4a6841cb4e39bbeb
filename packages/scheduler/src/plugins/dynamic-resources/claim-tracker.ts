import { type AllocatedDevices, allocatedDevices } from "../../devices/allocated-devices.js";
import { type AssumedObjects, createAssumedObjects } from "../../framework/assumed-objects.js";
import type { ObjectStore, ResourceClaim } from "../../framework/cluster-objects.js";

/** Claims with what the scheduler has decided about them and not written yet. */
export interface ClaimTracker extends AssumedObjects<ResourceClaim> {
  /** A claim whose allocation is on its way to the server; by UID. */
  addPending(uid: string, claim: ResourceClaim): void;
  isPending(uid: string): boolean;
  removePending(uid: string): void;
  /** All devices that are allocated or will be. */
  allocated(): AllocatedDevices;
}

export function createClaimTracker(store: ObjectStore<ResourceClaim>): ClaimTracker {
  const pending = new Map<string, ResourceClaim>();
  const assumed = createAssumedObjects(store);
  return {
    ...assumed,
    addPending: (uid, claim) => void pending.set(uid, claim),
    isPending: (uid) => pending.has(uid),
    removePending: (uid) => void pending.delete(uid),
    allocated: () => allocatedDevices([...assumed.list(), ...pending.values()]),
  };
}
