import type { Selector } from "@coxswain/apimachinery/selector";
import { type CachedObject, createLister, type ReadonlyIndexer } from "@coxswain/client/informers";

/** Owners in the object's namespace whose selectors match it. An empty selector adopts nothing. */
export const mayAdopt = <T extends CachedObject>(
  owners: ReadonlyIndexer<T>,
  selectorOf: (owner: T) => Selector,
  { metadata }: CachedObject,
): T[] =>
  createLister(owners)
    .namespace(metadata?.namespace ?? "")
    .list()
    .filter((owner) => {
      const selector = selectorOf(owner);
      return !selector.empty && selector.matches(metadata?.labels);
    });
