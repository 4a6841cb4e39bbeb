import type { LeaseSpec } from "@coxswain/api/coordination/v1";
import { formatMicroTime } from "@coxswain/apimachinery/time";

/** Who leads, as it is stored in the lock. */
export interface ElectionRecord {
  /** "" when the lock was released. */
  readonly holderIdentity: string;
  readonly leaseDurationSeconds: number;
  /** RFC 3339 with microseconds. Shown to people; nobody's decision depends on another's clock. */
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaderTransitions: number;
}

export const recordOfLease = (spec: Readonly<LeaseSpec> = {}): ElectionRecord => ({
  holderIdentity: spec.holderIdentity ?? "",
  leaseDurationSeconds: spec.leaseDurationSeconds ?? 0,
  leaderTransitions: spec.leaseTransitions ?? 0,
  ...(spec.acquireTime ? { acquireTime: spec.acquireTime } : {}),
  ...(spec.renewTime ? { renewTime: spec.renewTime } : {}),
});

export const leaseSpecOf = (record: ElectionRecord): LeaseSpec => ({
  ...(record.holderIdentity === "" ? {} : { holderIdentity: record.holderIdentity }),
  leaseDurationSeconds: record.leaseDurationSeconds,
  ...(record.acquireTime === undefined ? {} : { acquireTime: record.acquireTime }),
  ...(record.renewTime === undefined ? {} : { renewTime: record.renewTime }),
  leaseTransitions: record.leaderTransitions,
});

/** Pure: the record with which `identity` takes or keeps the lock that `before` describes. */
export function claim(
  before: ElectionRecord | undefined,
  { identity, leaseDurationMs, now }: { identity: string; leaseDurationMs: number; now: number },
): ElectionRecord {
  const time = formatMicroTime(now);
  const base = {
    holderIdentity: identity,
    // Rounded up: others must not wait for less than the leader relies on.
    leaseDurationSeconds: Math.ceil(leaseDurationMs / 1000),
    renewTime: time,
  };
  if (before === undefined) return { ...base, acquireTime: time, leaderTransitions: 0 };
  if (before.holderIdentity !== identity)
    return { ...base, acquireTime: time, leaderTransitions: before.leaderTransitions + 1 };
  return { ...base, acquireTime: before.acquireTime ?? time, leaderTransitions: before.leaderTransitions };
}

/** Pure: the record of a lock that nobody holds. One second, so that no client waits for a released lock. */
export const release = (before: ElectionRecord, now: number): ElectionRecord => ({
  holderIdentity: "",
  leaseDurationSeconds: 1,
  acquireTime: formatMicroTime(now),
  renewTime: formatMicroTime(now),
  leaderTransitions: before.leaderTransitions,
});
