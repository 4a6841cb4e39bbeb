import type { CacheEvent } from "./cache-event.js";

export interface RingLimits {
  /** Events older than this may go. @default 75 s, more than a watch's bookmark interval */
  maxAgeMs: number;
  /** @default 100,000 */
  maxEvents: number;
  /** So many stay however old they are, so that a watch of a quiet resource can begin long ago: kube-apiserver's smallest cache. @default 100 */
  minEvents?: number;
}

export const defaultRingLimits: RingLimits = { maxAgeMs: 75_000, maxEvents: 100_000 };
const defaultMinEvents = 100;

/** The newest events of one resource, so that a watch can begin a little in the past. */
export interface EventRing {
  append(event: CacheEvent): void;
  /** Forgets what is too old at `now`, by the clock of the events. */
  drop(now: number): void;
  /** Every event after `revision`, oldest first; undefined when some of them are gone. */
  since(revision: number): CacheEvent[] | undefined;
  /** The newest revision that has been dropped: a watch must begin at or after it. */
  floor(): number;
}

/** `floor`: events up to there were never in the ring. */
export function createEventRing(floor: number, limits: RingLimits = defaultRingLimits): EventRing {
  // Dropped events leave a gap at the front, closed when it is half of the array: appending stays O(1). The gap holds nothing: with
  // the objects of a thousand dropped events in it, a quiet cluster kept tens of megabytes that nobody could read.
  let events: (CacheEvent | undefined)[] = [];
  let first = 0;
  let dropped = floor;
  const minEvents = Math.min(limits.minEvents ?? defaultMinEvents, limits.maxEvents);

  function drop(now: number): void {
    while (events.length - first > minEvents) {
      const oldest = events[first] as CacheEvent;
      if (events.length - first <= limits.maxEvents && now - oldest.at <= limits.maxAgeMs) break;
      dropped = oldest.revision;
      events[first++] = undefined;
    }
    if (first > 1024 && first > events.length / 2) {
      events = events.slice(first);
      first = 0;
    }
  }

  /** Index of the first event after `revision`. */
  function after(revision: number): number {
    let low = first;
    let high = events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((events[middle] as CacheEvent).revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    append(event) {
      events.push(event);
      drop(event.at);
    },
    drop,
    since: (revision) => (revision < dropped ? undefined : (events.slice(after(revision)) as CacheEvent[])),
    floor: () => dropped,
  };
}
