import type { Clock } from "@coxswain/runtime/clock";
import type { SortedMap } from "@coxswain/storage/sorted-map";
import type { CacheEntry } from "./cache-entry.js";

/** States that a paged list began with; the pages that follow read the same one. */
export interface ListPins {
  pin(prefix: string, revision: number, snapshot: SortedMap<CacheEntry>): void;
  /** Undefined when it was never pinned or has gone. */
  find(prefix: string, revision: number): SortedMap<CacheEntry> | undefined;
}

/** A pinned state expires after so long, as etcd's compaction does to upstream's pages; the oldest go when there are more. */
const maxPinMs = 5 * 60_000;
const maxPins = 1000;

export function createListPins(clock: Clock): ListPins {
  // In order of their making: the first is the oldest. Reading a page does not make a pin younger, or a slow reader could hold it for good.
  const pins = new Map<string, { snapshot: SortedMap<CacheEntry>; until: number }>();
  const keyOf = (prefix: string, revision: number): string => `${revision} ${prefix}`;

  function drop(): void {
    const now = clock.monotonic();
    for (const [key, pin] of pins) {
      if (pins.size <= maxPins && pin.until > now) break;
      pins.delete(key);
    }
  }

  return {
    pin(prefix, revision, snapshot) {
      const key = keyOf(prefix, revision);
      if (pins.has(key)) return;
      pins.set(key, { snapshot, until: clock.monotonic() + maxPinMs });
      drop();
    },
    find(prefix, revision) {
      drop();
      return pins.get(keyOf(prefix, revision))?.snapshot;
    },
  };
}
