import { parseLabelSelector, type Selector } from "@coxswain/apimachinery/selector";
import {
  type CachedObject,
  type EventHandler,
  type HandlerRegistration,
  type IndexFunction,
  namespaceIndex,
  type SharedIndexInformer,
} from "@coxswain/client/informers";
import { nameOf, type ObjectName, type ResourceDefinition, resourceName, storeKey } from "../resource/index.js";
import { WrittenObjects } from "./written-objects.js";

export interface ListOptions {
  /** @default all namespaces that are cached */
  readonly namespace?: string | undefined;
  /** As kubectl takes it, or labels that must all be there. */
  readonly labels?: string | Readonly<Record<string, string>>;
  /** Objects with this value in an index of the cache. */
  readonly index?: { readonly name: string; readonly value: string };
}

interface ResourceCacheParts<T extends CachedObject> {
  readonly definition: ResourceDefinition<object>;
  /** By namespace; "" for all of them. */
  readonly informers: ReadonlyMap<string, SharedIndexInformer<T>>;
  readonly labelSelector: Selector | undefined;
  /** Whether this process's own writes are shown before the server sends them. */
  readonly showsWrites: boolean;
  readonly transform: ((object: T) => T) | undefined;
}

/** The cached objects of one resource, with what this process wrote since. */
export class ResourceCache<T extends CachedObject> {
  readonly #parts: ResourceCacheParts<T>;
  readonly #written: WrittenObjects<T>;
  readonly #indexes = new Map<string, IndexFunction<T>>();

  constructor(parts: ResourceCacheParts<T>) {
    this.#parts = parts;
    this.#written = new WrittenObjects<T>((key) => {
      const informer = this.#informerOf(key.includes("/") ? (key.split("/", 1)[0] as string) : "");
      return { object: informer?.indexer.getByKey(key), reached: informer?.indexer.resourceVersion ?? "" };
    });
  }

  get started(): boolean {
    return this.#all().every((informer) => informer.started);
  }

  get hasSynced(): boolean {
    return this.#all().every((informer) => informer.hasSynced);
  }

  get size(): number {
    return this.#all().reduce((sum, informer) => sum + informer.indexer.size, 0);
  }

  start(): void {
    for (const informer of this.#all()) informer.start();
  }

  async whenSynced(signal?: AbortSignal): Promise<void> {
    for (const informer of this.#all()) if (!informer.hasSynced) await informer.whenSynced(signal);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all().map((informer) => informer.stop()));
  }

  addHandler(handler: EventHandler<T>): HandlerRegistration[] {
    return this.#all().map((informer) => informer.addHandler(handler));
  }

  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    for (const informer of this.#all()) informer.addIndexers({ [name]: valuesOf });
    this.#indexes.set(name, valuesOf);
  }

  /** @throws Error for a namespace that is not cached */
  get(name: ObjectName): T | undefined {
    const namespace = this.#parts.definition.scope === "Cluster" ? "" : (name.namespace ?? "");
    this.#reachable(namespace);
    return this.#written.get(storeKey({ namespace, name: name.name }));
  }

  list({ namespace = "", labels, index }: ListOptions = {}): T[] {
    const informers = namespace === "" ? this.#all() : [this.#reachable(namespace)];
    let found: T[] = [];
    for (const { indexer } of informers) {
      const objects =
        index !== undefined
          ? indexer.byIndex(index.name, index.value)
          : namespace === ""
            ? indexer.list()
            : indexer.byIndex(namespaceIndex, namespace);
      found = found.length === 0 ? objects : found.concat(objects);
    }
    const selector = selectorOf(labels);
    const wanted = (object: T): boolean =>
      (namespace === "" || object.metadata?.namespace === namespace) &&
      (selector === undefined || selector.matches(object.metadata?.labels));
    if (selector !== undefined || index !== undefined) found = found.filter(wanted);
    return this.#written.size === 0
      ? found
      : this.#withWrites(found, (object) => wanted(object) && this.#has(object, index));
  }

  /** The server answered a write of this process with the object. */
  wrote(object: T): void {
    const { showsWrites, labelSelector, transform } = this.#parts;
    const name = nameOf(object);
    if (!showsWrites || this.#informerOf(name.namespace ?? "") === undefined) return;
    const selected = labelSelector === undefined || labelSelector.matches(object.metadata?.labels);
    this.#written.wrote(storeKey(name), transform ? transform(object) : object, selected);
  }

  /** The server answered a deletion of this process: the object is gone. */
  deleted(name: ObjectName, uid: string): void {
    if (!this.#parts.showsWrites || this.#informerOf(name.namespace ?? "") === undefined) return;
    this.#written.deleted(storeKey(name), uid);
  }

  #withWrites(found: T[], wanted: (object: T) => boolean): T[] {
    const written = new Map(this.#written.pending());
    if (written.size === 0) return found;
    const result = found.filter((object) => !written.has(storeKey(nameOf(object))));
    for (const object of written.values()) if (object !== undefined && wanted(object)) result.push(object);
    return result;
  }

  #has(object: T, index: ListOptions["index"]): boolean {
    return index === undefined || (this.#indexes.get(index.name)?.(object).includes(index.value) ?? false);
  }

  #all(): SharedIndexInformer<T>[] {
    return [...this.#parts.informers.values()];
  }

  #informerOf(namespace: string): SharedIndexInformer<T> | undefined {
    return this.#parts.informers.get("") ?? this.#parts.informers.get(namespace);
  }

  #reachable(namespace: string): SharedIndexInformer<T> {
    const informer = this.#informerOf(namespace);
    if (informer !== undefined) return informer;
    const cached = [...this.#parts.informers.keys()].join(", ");
    throw new Error(
      `unable to read ${resourceName(this.#parts.definition)} in ${JSON.stringify(namespace)}: unknown namespace for the cache, which holds ${cached}`,
    );
  }
}

function selectorOf(labels: ListOptions["labels"]): Selector | undefined {
  if (labels === undefined) return undefined;
  if (typeof labels === "string") return parseLabelSelector(labels);
  return parseLabelSelector(
    Object.entries(labels)
      .map(([key, value]) => `${key}=${value}`)
      .join(","),
  );
}
