export {
  createLeaderElector,
  type LeaderElector,
  type LeaderElectorOptions,
  type Leadership,
  LeadershipLostError,
} from "./leader-elector.js";
export { createLeaseLock, type LeaseAccess, type LeaseLockOptions } from "./lease-lock.js";
export { createMultiLock, unknownLeader } from "./multi-lock.js";

// For extenders.
export type { LockState, ResourceLock } from "./resource-lock.js";
export { type ElectionRecord, leaseSpecOf, recordOfLease } from "./election-record.js";
