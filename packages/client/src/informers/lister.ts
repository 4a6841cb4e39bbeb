import { everything, type Selector } from "@coxswain/apimachinery/selector";
import { type CachedObject, namespaceIndex, type ReadonlyIndexer } from "../stores/index.js";

/** Reads of a cache as the API would answer them. Objects are shared and must not be changed. */
export interface Lister<T> {
  /** The objects whose labels match, in all namespaces. */
  list(selector?: Selector): T[];
  /** An object without a namespace, or by `namespace(…).get(…)`. */
  get(name: string): T | undefined;
  namespace(namespace: string): NamespaceLister<T>;
}

export interface NamespaceLister<T> {
  list(selector?: Selector): T[];
  get(name: string): T | undefined;
}

export function createLister<T extends CachedObject>(indexer: ReadonlyIndexer<T>): Lister<T> {
  const matching = (objects: T[], selector: Selector): T[] =>
    selector.empty && !selector.nothing
      ? objects
      : objects.filter((object) => selector.matches(object.metadata?.labels));
  const inNamespace = (namespace: string): T[] =>
    indexer.indexNames.includes(namespaceIndex)
      ? indexer.byIndex(namespaceIndex, namespace)
      : indexer.list().filter((object) => (object.metadata?.namespace ?? "") === namespace);
  return {
    list: (selector = everything) => matching(indexer.list(), selector),
    get: (name) => indexer.getByKey(name),
    namespace: (namespace) => ({
      list: (selector = everything) => matching(inNamespace(namespace), selector),
      get: (name) => indexer.getByKey(`${namespace}/${name}`),
    }),
  };
}
