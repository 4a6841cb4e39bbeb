import type { AnyKind } from "@coxswain/kinds";
import type { CacheFeed } from "../../cache/cache-feed.js";
import type { EditableCatalogue } from "../../catalogue/catalogue.js";
import type { KindSet } from "../../catalogue/kind-set.js";

/** One resource in all its versions. */
export interface ServedResourceKinds {
  /** The version that is written to the store; it need not be served. */
  readonly stored: AnyKind;
  /** One definition per served version. */
  readonly served: readonly AnyKind[];
}

/** Custom resources of a running server. */
export interface ServedCustomKinds {
  /** Serves a resource, in place of what `name` stood for before. Its objects are in the cache when this resolves; earlier watches end. */
  serve(name: string, resource: ServedResourceKinds): Promise<void>;
  /** Serves it no longer and ends its watches. What is stored stays. */
  remove(name: string): void;
}

export function createServedCustomKinds(deps: {
  readonly feed: Pick<CacheFeed, "open" | "close">;
  readonly catalogue: EditableCatalogue;
  readonly kinds: KindSet;
}): ServedCustomKinds {
  const { feed, catalogue, kinds } = deps;
  const resources = new Map<string, ServedResourceKinds>();
  const publish = (): void =>
    catalogue.change(() => kinds.replace(Array.from(resources.values()).flatMap(({ served }) => served)));
  return {
    async serve(name, resource) {
      await feed.open(resource.stored);
      resources.set(name, resource);
      publish();
    },
    remove(name) {
      const resource = resources.get(name);
      if (!resource) return;
      resources.delete(name);
      publish();
      feed.close(resource.stored);
    },
  };
}
