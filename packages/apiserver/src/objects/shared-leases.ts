import type { AnyKind } from "@coxswain/kinds";
import type { Clock } from "@coxswain/runtime/clock";
import type { LeaseId, LeaseStore } from "@coxswain/storage";

export interface SharedLeasesOptions {
  /** How long objects of these kinds (by storage prefix) live after they were written last, in milliseconds; 0: for ever. */
  readonly lifetimes: ReadonlyMap<string, number>;
  /** A lease is given to new objects for so long, but no longer than a 20th of their lifetime. @default 60 s */
  readonly reuseMs?: number;
  /** It takes a store's time to end a lease of many. @default 1000 */
  readonly mostObjects?: number;
}

/** Leases of objects that go by themselves. Those that are written about the same time share one: they live a little longer, and the store has few leases. */
export interface SharedLeases {
  /** With what an object of this kind is to be written; undefined: it stays. */
  leaseOf(kind: AnyKind): Promise<LeaseId> | undefined;
  /** The store does not know this lease any more. */
  forget(kind: AnyKind, lease: LeaseId): Promise<void>;
}

interface Current {
  readonly lease: Promise<LeaseId>;
  readonly endsMs: number;
  objects: number;
}

export function createSharedLeases(
  leases: LeaseStore,
  clock: Clock,
  { lifetimes, reuseMs = 60_000, mostObjects = 1000 }: SharedLeasesOptions,
): SharedLeases {
  const current = new Map<AnyKind, Current>();

  function grant(kind: AnyKind, ttlMs: number): Promise<LeaseId> {
    const lease = leases.grant(ttlMs);
    const granted: Current = { lease, endsMs: clock.monotonic() + ttlMs, objects: 1 };
    current.set(kind, granted);
    lease.catch(() => current.get(kind) === granted && current.delete(kind)); // callers that wait for it receive the error
    return lease;
  }

  return {
    leaseOf(kind) {
      const lifetimeMs = lifetimes.get(kind.storagePrefix) ?? 0;
      if (lifetimeMs <= 0) return undefined;
      const shared = current.get(kind);
      if (shared && shared.objects < mostObjects && clock.monotonic() + lifetimeMs < shared.endsMs) {
        shared.objects++;
        return shared.lease;
      }
      return grant(kind, lifetimeMs + Math.min(reuseMs, Math.floor(lifetimeMs / 20_000) * 1000));
    },
    async forget(kind, lease) {
      const known = current.get(kind);
      if ((await known?.lease) === lease && current.get(kind) === known) current.delete(kind);
    },
  };
}
