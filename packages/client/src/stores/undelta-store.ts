import type { CachedObject } from "./cached-object.js";
import { MapStore, type Store, type StoreOptions } from "./store.js";

class UndeltaStore<T extends CachedObject> extends MapStore<T> {
  readonly #push: (objects: T[]) => void;

  constructor(push: (objects: T[]) => void, options?: StoreOptions<T>) {
    super(options);
    this.#push = push;
  }

  override add(object: T): T | undefined {
    const old = super.add(object);
    this.#push(this.list());
    return old;
  }

  override delete(object: T): void {
    super.delete(object);
    this.#push(this.list());
  }

  override replace(objects: readonly T[], resourceVersion: string): void {
    super.replace(objects, resourceVersion);
    this.#push(this.list());
  }
}

/** A store that hands the whole content to `push` after every change, for consumers that only know complete states. */
export const createUndeltaStore = <T extends CachedObject>(
  push: (objects: T[]) => void,
  options?: StoreOptions<T>,
): Store<T> => new UndeltaStore<T>(push, options);
