import type { StrategyContext } from "@coxswain/kinds";
import { namespaceKind } from "@coxswain/kinds/core/namespace";
import type { CacheFeed } from "../../cache/cache-feed.js";
import { objectKey } from "../../cache/object-key.js";

/** The labels of namespaces, as they are cached. */
export const namespaceLabels =
  (feed: CacheFeed): NonNullable<StrategyContext["namespaceLabels"]> =>
  (name) => {
    const entry = feed.cacheOf(namespaceKind).get(objectKey(namespaceKind, "", name));
    return entry && ((entry.labels ?? {}) as Readonly<Record<string, string>>);
  };
