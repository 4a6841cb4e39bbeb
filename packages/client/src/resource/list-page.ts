import type { KubernetesList, KubernetesObject } from "@coxswain/apimachinery/meta";
import { TransportError } from "../transport/transport-error.js";
import type { ListPage } from "../watch/lister-watcher.js";

/**
 * A page of a list that a server sent. Servers leave `kind` and `apiVersion` out of the items of built-in lists; they are
 * put back, so that an object from a list looks like one from a watch.
 */
export function pageOf<T extends object>(value: unknown): ListPage<T> {
  const { kind, apiVersion, metadata, items } = value as Partial<KubernetesList<KubernetesObject>>;
  if (items !== null && !Array.isArray(items))
    throw new TransportError(
      "malformed",
      `the answer to a list is no list but ${kind === undefined ? "something else" : `a ${kind}`}`,
    );
  const itemKind = kind?.endsWith("List") && kind !== "List" ? kind.slice(0, -"List".length) : undefined;
  if (itemKind !== undefined && apiVersion !== undefined)
    for (const item of items ?? []) {
      if (item.kind !== undefined) break; // one item has it, all have it
      if (Object.isFrozen(item)) break; // shared by a server in this process
      item.kind = itemKind;
      item.apiVersion = apiVersion;
    }
  return {
    items: (items ?? []) as unknown as T[],
    resourceVersion: metadata?.resourceVersion ?? "",
    ...(metadata?.continue ? { continue: metadata.continue } : {}),
    ...(metadata?.remainingItemCount === undefined ? {} : { remainingItemCount: metadata.remainingItemCount }),
  };
}
