import type { Clock } from "@coxswain/runtime/clock";
import { type CachedObject, type KeyFunction, keyOf } from "./cached-object.js";

/** Objects that are forgotten some time after they were added. Nothing runs in the background: reading removes what expired. */
export interface ExpirationCache<T> {
  add(object: T): void;
  get(object: T): T | undefined;
  getByKey(key: string): T | undefined;
  list(): T[];
  /** Every key, also of objects that expired and were not read since. */
  keys(): string[];
  delete(object: T): void;
  replace(objects: readonly T[]): void;
}

export interface ExpirationCacheOptions<T> {
  /** How long an object stays, in milliseconds. */
  ttlMs: number;
  /** @default namespace/name */
  keyOf?: KeyFunction<T>;
  /** Overrides `ttlMs` for this object. @default never */
  isExpired?: (object: T, addedAt: number, now: number) => boolean;
  clock: Clock;
}

export function createExpirationCache<T extends CachedObject>(options: ExpirationCacheOptions<T>): ExpirationCache<T> {
  const { ttlMs, clock } = options;
  const key = options.keyOf ?? keyOf;
  const isExpired = options.isExpired ?? ((_object, addedAt, now) => now - addedAt > ttlMs);
  const items = new Map<string, { object: T; addedAt: number }>();

  function getByKey(name: string): T | undefined {
    const item = items.get(name);
    if (item === undefined) return undefined;
    if (!isExpired(item.object, item.addedAt, clock.monotonic())) return item.object;
    items.delete(name);
    return undefined;
  }
  const add = (object: T): void => void items.set(key(object), { object, addedAt: clock.monotonic() });

  return {
    add,
    getByKey,
    get: (object) => getByKey(key(object)),
    list: () => [...items.keys()].map(getByKey).filter((object) => object !== undefined),
    keys: () => [...items.keys()],
    delete: (object) => void items.delete(key(object)),
    replace(objects) {
      items.clear();
      for (const object of objects) add(object);
    },
  };
}
