import type { CacheEntry } from "./cache-entry.js";

export type EventType = "ADDED" | "MODIFIED" | "DELETED";

/** One change of one object, as the store told it. */
export interface CacheEvent {
  readonly revision: number;
  /** When the cache learned of it, by the monotonic clock; how long it is kept counts from here. */
  readonly at: number;
  readonly current: CacheEntry | undefined;
  readonly previous: CacheEntry | undefined;
  /** The last state under this revision: what a watcher for whom the object is gone receives. Made on first need. */
  gone(): CacheEntry;
  /** What watchers get of it, one per type; shared, so that each is encoded once. */
  readonly deliveries: { ADDED?: Delivery; MODIFIED?: Delivery; DELETED?: Delivery };
}

/** What a watcher gets. */
export interface Delivery {
  readonly type: EventType;
  readonly entry: CacheEntry;
  readonly revision: number;
  /** Encodings by form, made on first need and shared by all watchers. */
  readonly frames: Map<string, Uint8Array>;
}

export const createDelivery = (type: EventType, entry: CacheEntry, revision: number): Delivery => ({ type, entry, revision, frames: new Map() });

/** The shared delivery of `event` for a watcher to whom it is a `type`. */
export function deliveryOf(event: CacheEvent, type: EventType): Delivery {
  const entry = type === "DELETED" || !event.current ? event.gone() : event.current;
  return (event.deliveries[type] ??= createDelivery(type, entry, event.revision));
}

/** What an event is to somebody who saw the object before (`was`) and sees it now (`is`); undefined: nothing. */
export function eventType(was: boolean, is: boolean): EventType | undefined {
  if (is) return was ? "MODIFIED" : "ADDED";
  return was ? "DELETED" : undefined;
}
