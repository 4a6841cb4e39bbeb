import { spliceResourceVersion } from "@coxswain/apimachinery/object";
import { bytesOf, type CacheEntry, withBytes } from "./cache-entry.js";

export type EventType = "ADDED" | "MODIFIED" | "DELETED";

/**
 * One change of one object, as the store reported it. Tens of thousands are kept, so it is small: no function or map of
 * its own, nor a private method, which would cost each a word.
 */
export class CacheEvent {
  readonly revision: number;
  /** When the cache learned of it, in whole milliseconds by the monotonic clock; how long it is kept counts from here. */
  readonly at: number;
  readonly current: CacheEntry | undefined;
  readonly previous: CacheEntry | undefined;
  #deliveries: Partial<Record<EventType, Delivery>> | undefined;

  constructor(change: {
    revision: number;
    at: number;
    current: CacheEntry | undefined;
    previous: CacheEntry | undefined;
  }) {
    this.revision = change.revision;
    this.at = change.at;
    this.current = change.current;
    this.previous = change.previous;
  }

  /** What a watcher gets to whom it is a `type`; shared, so that each is encoded once. */
  deliveryOf(type: EventType): Delivery {
    this.#deliveries ??= {};
    return (this.#deliveries[type] ??= createDelivery({
      type,
      entry: type === "DELETED" || !this.current ? lastState(this) : this.current,
      previous: this.previous,
      revision: this.revision,
    }));
  }
}

/** The last state under this revision: what a watcher for whom the object is gone receives. */
function lastState({ previous, revision }: CacheEvent): CacheEntry {
  if (!previous) throw new Error("an object that never was cannot be gone");
  const { key, namespace, labels, fields, stale } = previous;
  return withBytes(
    { key, revision, namespace, labels, fields, stale },
    spliceResourceVersion(bytesOf(previous), String(revision)),
  );
}

/** What a watcher gets. */
export interface Delivery {
  readonly type: EventType;
  readonly entry: CacheEntry;
  /** The state before the change; undefined: the object is new, or this is no change but one of the initial events. */
  readonly previous: CacheEntry | undefined;
  readonly revision: number;
  /** Encodings by form, made on first need and shared by all watchers; clients in the process need none. */
  frames: Map<string, Uint8Array> | undefined;
}

export const createDelivery = ({ type, entry, previous, revision }: Omit<Delivery, "frames">): Delivery => ({
  type,
  entry,
  previous,
  revision,
  frames: undefined,
});

/** What an event is to somebody who saw the object before (`was`) and sees it now (`is`); undefined: nothing. */
export function eventType(was: boolean, is: boolean): EventType | undefined {
  if (is) return was ? "MODIFIED" : "ADDED";
  return was ? "DELETED" : undefined;
}
