import { type CachedObject, type KeyFunction, keyOf } from "./cached-object.js";

/** Objects by key. Readers receive the stored objects themselves: they are shared and must not be changed. */
export interface ReadonlyStore<T> {
  get(object: T): T | undefined;
  getByKey(key: string): T | undefined;
  /** In the order in which their keys first came; a replacement begins a new order. */
  list(): T[];
  keys(): string[];
  readonly size: number;
  /** The newest resourceVersion that the content is known to reflect; "" until the first replacement or bookmark. */
  readonly resourceVersion: string;
}

export interface Store<T> extends ReadonlyStore<T> {
  /** Puts the object in place of the one with its key, which is returned. */
  add(object: T): T | undefined;
  update(object: T): T | undefined;
  delete(object: T): void;
  /** Exchanges the whole content. */
  replace(objects: readonly T[], resourceVersion: string): void;
  /** Nothing changed up to this resourceVersion but what the store already holds. */
  bookmark(resourceVersion: string): void;
}

export interface StoreOptions<T> {
  /** @default namespace/name */
  keyOf?: KeyFunction<T>;
}

/** @internal What stores have in common; an indexer adds its indexes. */
export class MapStore<T extends CachedObject> implements Store<T> {
  protected readonly keyOf: KeyFunction<T>;
  protected items = new Map<string, T>();
  #resourceVersion = "";

  constructor(options: StoreOptions<T> = {}) {
    this.keyOf = options.keyOf ?? keyOf;
  }

  get size(): number {
    return this.items.size;
  }

  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  get(object: T): T | undefined {
    return this.items.get(this.keyOf(object));
  }

  getByKey(key: string): T | undefined {
    return this.items.get(key);
  }

  list(): T[] {
    return [...this.items.values()];
  }

  keys(): string[] {
    return [...this.items.keys()];
  }

  add(object: T): T | undefined {
    const old = this.set(this.keyOf(object), object);
    this.#reached(object);
    return old;
  }

  update(object: T): T | undefined {
    return this.add(object);
  }

  delete(object: T): void {
    this.remove(this.keyOf(object));
    this.#reached(object);
  }

  replace(objects: readonly T[], resourceVersion: string): void {
    this.clear();
    for (const object of objects) this.set(this.keyOf(object), object);
    this.#resourceVersion = resourceVersion;
  }

  bookmark(resourceVersion: string): void {
    this.#resourceVersion = resourceVersion;
  }

  protected set(key: string, object: T): T | undefined {
    const old = this.items.get(key);
    this.items.set(key, object);
    return old;
  }

  protected remove(key: string): void {
    this.items.delete(key);
  }

  protected clear(): void {
    this.items = new Map();
  }

  /** Events come in the order of their versions, so the last one is the newest. Before the first list nothing is known. */
  #reached({ metadata }: T): void {
    if (this.#resourceVersion !== "" && metadata?.resourceVersion) this.#resourceVersion = metadata.resourceVersion;
  }
}

export const createStore = <T extends CachedObject>(options?: StoreOptions<T>): Store<T> => new MapStore<T>(options);
