import { namespaceKind } from "@coxswain/kinds/core/namespace";
import type { CacheFeed } from "../cache/cache-feed.js";
import { objectKey } from "../cache/object-key.js";
import type { NamespacePhase } from "./namespace-lifecycle.js";

/** Reads the phase from the cache's selectable fields: nothing is parsed. */
export function namespacePhase(feed: CacheFeed): NamespacePhase {
  return (name) => {
    const entry = feed.cacheOf(namespaceKind).get(objectKey(namespaceKind, "", name));
    if (!entry) return undefined;
    return entry.fields?.["status.phase"] === "Terminating" ? "Terminating" : "Active";
  };
}
