import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { CacheFeed } from "../../cache/cache-feed.js";
import { createLister } from "../../cache/lister.js";
import { objectKey } from "../../cache/object-key.js";
import { storedKind } from "../../catalogue/stored-kind.js";

/** Objects of the core group by name, from the cache. */
export const objectFinder =
  (feed: CacheFeed) =>
  (resource: string, namespace: string, name: string): KubernetesObject | undefined => {
    const kind = storedKind("", resource);
    return createLister<KubernetesObject>(feed.cacheOf(kind), "leave out").get(objectKey(kind, namespace, name));
  };
