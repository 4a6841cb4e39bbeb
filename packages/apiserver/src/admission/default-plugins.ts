import type { PriorityClass } from "@coxswain/api/scheduling/v1";
import { builtInKinds } from "@coxswain/kinds";
import type { CacheFeed } from "../cache/cache-feed.js";
import { createLister, type Lister } from "../cache/lister.js";
import { namespacePhase } from "../registry/namespace-phase.js";
import type { AdmissionPlugin } from "./admission.js";
import { defaultTolerationSeconds } from "./default-toleration-seconds.js";
import { createNamespaceLifecycle } from "./namespace-lifecycle.js";
import { createPriority } from "./priority.js";

/** Upstream's order; what is not here yet stands in the README's table. */
export const defaultPlugins = (feed: CacheFeed): AdmissionPlugin[] => [
  createNamespaceLifecycle(namespacePhase(feed)),
  createPriority(listerOf<PriorityClass>(feed, "scheduling.k8s.io", "priorityclasses")),
  defaultTolerationSeconds,
];

function listerOf<T>(feed: CacheFeed, group: string, resource: string): Lister<T> {
  const kind = builtInKinds.find((each) => each.group === group && each.resource === resource);
  if (!kind) throw new Error(`${resource} is not served`);
  return createLister(feed.cacheOf(kind));
}
