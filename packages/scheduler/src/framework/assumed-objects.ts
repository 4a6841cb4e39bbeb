import type { ObjectStore } from "./cluster-objects.js";

interface Identified {
  readonly metadata?: {
    readonly namespace?: string;
    readonly name?: string;
    readonly resourceVersion?: string;
  };
}

/**
 * Objects as they will be once the scheduler's own writes are done, over what the informer has. An assumption holds until the
 * informer has a version that is newer than the one that it was made from.
 */
export interface AssumedObjects<T> {
  get(key: string): T | undefined;
  /** Without assumptions. */
  getStored(key: string): T | undefined;
  list(): readonly T[];
  assume(object: T): void;
  /** Takes the assumption about this object back. */
  restore(object: T): void;
}

export function createAssumedObjects<T extends Identified>(store: ObjectStore<T>): AssumedObjects<T> {
  const assumed = new Map<string, T>();
  const keyOf = ({ metadata }: T): string =>
    metadata?.namespace ? `${metadata.namespace}/${metadata.name}` : (metadata?.name ?? "");
  const current = (key: string, stored: T): T => {
    const object = assumed.get(key);
    if (object === undefined) return stored;
    if (Number(stored.metadata?.resourceVersion) > Number(object.metadata?.resourceVersion)) {
      assumed.delete(key);
      return stored;
    }
    return object;
  };
  return {
    get(key) {
      const stored = store.get(key);
      if (stored !== undefined) return current(key, stored);
      assumed.delete(key);
      return undefined;
    },
    getStored: (key) => store.get(key),
    list: () => (assumed.size === 0 ? store.list() : store.list().map((stored) => current(keyOf(stored), stored))),
    assume: (object) => void assumed.set(keyOf(object), object),
    restore: (object) => void assumed.delete(keyOf(object)),
  };
}
