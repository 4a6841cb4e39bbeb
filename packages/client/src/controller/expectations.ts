import type { Clock } from "@coxswain/runtime/clock";

/**
 * What a controller has done and not yet seen in its cache. A controller that acted again before would create or delete too
 * much. Keys are those of the owners; use one tracker per kind of owner.
 */
export interface Expectations {
  /** Whether the owner may be worked on: everything was seen, or it has been waited for long enough. */
  isSatisfied(key: string): boolean;
  /** Before creating so many objects. Replaces what was expected. */
  expectCreations(key: string, count: number): void;
  /**
   * Before deleting the objects with these UIDs. Replaces what was expected. UIDs are needed because a deletion is seen twice:
   * when the object gets its deletionTimestamp and when it goes.
   */
  expectDeletions(key: string, uids: readonly string[]): void;
  /** Seen in the cache, or the request failed. */
  creationObserved(key: string): void;
  deletionObserved(key: string, uid: string): void;
  /** The owner is gone. */
  forget(key: string): void;
  /** What is still expected; for messages. */
  pending(key: string): { readonly creations: number; readonly deletions: readonly string[] };
}

export interface ExpectationsOptions {
  /** Expectations older than this count as satisfied: an event was lost or is very late. @default 300,000 */
  timeoutMs?: number;
  clock: Clock;
}

export function createExpectations({ timeoutMs = 300_000, clock }: ExpectationsOptions): Expectations {
  const expected = new Map<string, { creations: number; readonly deletions: Set<string>; readonly since: number }>();
  return {
    isSatisfied(key) {
      const entry = expected.get(key);
      if (entry === undefined || (entry.creations <= 0 && entry.deletions.size === 0)) return true;
      return clock.monotonic() - entry.since > timeoutMs;
    },
    expectCreations: (key, creations) =>
      void expected.set(key, { creations, deletions: new Set(), since: clock.monotonic() }),
    expectDeletions: (key, uids) =>
      void expected.set(key, { creations: 0, deletions: new Set(uids), since: clock.monotonic() }),
    creationObserved(key) {
      const entry = expected.get(key);
      if (entry !== undefined) entry.creations--;
    },
    deletionObserved: (key, uid) => void expected.get(key)?.deletions.delete(uid),
    forget: (key) => void expected.delete(key),
    pending(key) {
      const entry = expected.get(key);
      return { creations: Math.max(0, entry?.creations ?? 0), deletions: [...(entry?.deletions ?? [])] };
    },
  };
}
