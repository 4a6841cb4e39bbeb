import type { DeepReadonly } from "@coxswain/api";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import type { CacheFeed } from "../cache/cache-feed.js";
import { createLister } from "../cache/lister.js";
import { collectionPrefix, objectKey } from "../cache/object-key.js";

/** The objects of a server of one's own, as its caches have them: in hub versions, shared, and never to be changed. */
export interface OwnObjects {
  /** All of a resource ("fischers.wardle.example.com"), or those of one namespace. @throws Error where there is no such resource */
  list<T extends KubernetesObject>(resource: string, namespace?: string): Iterable<DeepReadonly<T>>;
  /** `namespace` is "" for what is in none. */
  get<T extends KubernetesObject>(resource: string, namespace: string, name: string): DeepReadonly<T> | undefined;
}

export function ownObjects(feed: CacheFeed, stored: readonly AnyKind[]): OwnObjects {
  const kinds = new Map(stored.map((kind) => [`${kind.resource}.${kind.group}`, kind]));
  const kindOf = (resource: string): AnyKind => {
    const kind = kinds.get(resource);
    if (!kind) throw new Error(`${resource} is not served here: ${[...kinds.keys()].join(", ")}`);
    return kind;
  };
  const listerOf = <T>(kind: AnyKind) => createLister<DeepReadonly<T>>(feed.cacheOf(kind));
  return {
    list<T extends KubernetesObject>(resource: string, namespace = "") {
      const kind = kindOf(resource);
      return listerOf<T>(kind).list(collectionPrefix(kind, namespace));
    },
    get<T extends KubernetesObject>(resource: string, namespace: string, name: string) {
      const kind = kindOf(resource);
      return listerOf<T>(kind).get(objectKey(kind, namespace, name));
    },
  };
}
