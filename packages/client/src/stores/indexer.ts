import type { CachedObject } from "./cached-object.js";
import { MapStore, type ReadonlyStore, type Store, type StoreOptions } from "./store.js";

/** The values under which an object is found in one index. Pure: the same object always has the same values. */
export type IndexFunction<T> = (object: T) => readonly string[];
export type Indexers<T> = Readonly<Record<string, IndexFunction<T>>>;

/** The index that listers of one namespace use. */
export const namespaceIndex = "namespace";
export const indexByNamespace: IndexFunction<CachedObject> = ({ metadata }) => [metadata?.namespace ?? ""];

export interface ReadonlyIndexer<T> extends ReadonlyStore<T> {
  /** The objects with this value, in the order in which they came to have it. @throws Error for an unknown index */
  byIndex(index: string, value: string): T[];
  keysByIndex(index: string, value: string): string[];
  /** Objects that share a value of this index with the given one. */
  similar(index: string, object: T): T[];
  indexValues(index: string): string[];
  readonly indexNames: readonly string[];
}

export interface Indexer<T> extends Store<T>, ReadonlyIndexer<T> {
  /** Adds indexes, also over what is already stored. @throws Error when a name is taken by another function */
  addIndexers(indexers: Indexers<T>): void;
}

export interface IndexerOptions<T> extends StoreOptions<T> {
  indexers?: Indexers<T>;
}

interface Index<T> {
  readonly valuesOf: IndexFunction<T>;
  readonly keys: Map<string, Set<string>>;
}

class MapIndexer<T extends CachedObject> extends MapStore<T> implements Indexer<T> {
  readonly #indexes = new Map<string, Index<T>>();

  constructor(options: IndexerOptions<T> = {}) {
    super(options);
    this.addIndexers(options.indexers ?? {});
  }

  get indexNames(): readonly string[] {
    return [...this.#indexes.keys()];
  }

  addIndexers(indexers: Indexers<T>): void {
    const added = Object.entries(indexers);
    for (const [name, valuesOf] of added) {
      const existing = this.#indexes.get(name);
      if (existing !== undefined && existing.valuesOf !== valuesOf)
        throw new Error(`the index "${name}" exists with another function`);
    }
    for (const [name, valuesOf] of added) {
      if (this.#indexes.has(name)) continue;
      const index: Index<T> = { valuesOf, keys: new Map() };
      this.#indexes.set(name, index);
      for (const [key, object] of this.items) insert(index, key, object);
    }
  }

  byIndex(name: string, value: string): T[] {
    const found: T[] = [];
    for (const key of this.#index(name).keys.get(value) ?? []) found.push(this.items.get(key) as T);
    return found;
  }

  keysByIndex(name: string, value: string): string[] {
    return [...(this.#index(name).keys.get(value) ?? [])];
  }

  similar(name: string, object: T): T[] {
    const index = this.#index(name);
    const keys = new Set<string>();
    for (const value of index.valuesOf(object)) for (const key of index.keys.get(value) ?? []) keys.add(key);
    return [...keys].map((key) => this.items.get(key) as T);
  }

  indexValues(name: string): string[] {
    return [...this.#index(name).keys.keys()];
  }

  #index(name: string): Index<T> {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new Error(`there is no index "${name}"; there are: ${this.indexNames.join(", ")}`);
    return index;
  }

  protected override set(key: string, object: T): T | undefined {
    const old = super.set(key, object);
    for (const index of this.#indexes.values()) {
      if (old === undefined) insert(index, key, object);
      else move(index, key, old, object);
    }
    return old;
  }

  protected override remove(key: string): void {
    const old = this.items.get(key);
    if (old === undefined) return;
    super.remove(key);
    for (const index of this.#indexes.values()) for (const value of index.valuesOf(old)) drop(index, key, value);
  }

  protected override clear(): void {
    super.clear();
    for (const index of this.#indexes.values()) index.keys.clear();
  }
}

function insert<T>(index: Index<T>, key: string, object: T): void {
  for (const value of index.valuesOf(object)) put(index, key, value);
}

/** Values that stay are left alone: most updates change no index at all. */
function move<T>(index: Index<T>, key: string, old: T, object: T): void {
  const before = index.valuesOf(old);
  const after = index.valuesOf(object);
  for (const value of before) if (!after.includes(value)) drop(index, key, value);
  for (const value of after) if (!before.includes(value)) put(index, key, value);
}

function put<T>({ keys }: Index<T>, key: string, value: string): void {
  const set = keys.get(value);
  if (set === undefined) keys.set(value, new Set([key]));
  else set.add(key);
}

function drop<T>({ keys }: Index<T>, key: string, value: string): void {
  const set = keys.get(value);
  if (set === undefined) return;
  set.delete(key);
  if (set.size === 0) keys.delete(value);
}

export const createIndexer = <T extends CachedObject>(options?: IndexerOptions<T>): Indexer<T> =>
  new MapIndexer<T>(options);
