import type { DeepReadonly } from "@coxswain/api";
import type { Service } from "@coxswain/api/core/v1";
import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn, ownEntries } from "@coxswain/apimachinery/own";
import { compareUtf8 } from "@coxswain/apimachinery/text";
import { type Indexers, keyOf, type SharedIndexInformer } from "@coxswain/client/informers";
import type { ReconcileLoop } from "../controller/reconcile-loop.js";
import { type CachedPod, isPodReady } from "../pods/pod-state.js";

type CachedService = DeepReadonly<Service>;

const selectorIndex = "selector";

/**
 * Services by one label that their pods must have, so that a change of a pod asks only the services that may select it, not all
 * of the namespace. An empty selector selects every pod; none at all selects nothing.
 */
export const servicesBySelector: Indexers<CachedService> = {
  [selectorIndex]({ metadata, spec }) {
    if (!spec?.selector) return [];
    const [first] = ownEntries(spec.selector).sort(([a], [b]) => compareUtf8(a, b));
    return [indexValue(metadata?.namespace, first)];
  },
};

const indexValue = (namespace: string | undefined, label: readonly [string, string] | undefined): string =>
  label ? `${namespace}/${label[0]}=${label[1]}` : `${namespace}/`;

/** The keys of the services whose selectors match the pod. */
function servicesOf(services: SharedIndexInformer<CachedService>, { metadata }: CachedPod): Set<string> {
  const labels = metadata?.labels;
  const values = [undefined, ...ownEntries(labels)].map((label) => indexValue(metadata?.namespace, label));
  const keys = new Set<string>();
  for (const value of values)
    for (const service of services.indexer.byIndex(selectorIndex, value))
      if (ownEntries(service.spec?.selector).every(([key, wanted]) => getOwn(labels, key) === wanted))
        keys.add(keyOf(service));
  return keys;
}

/** Wakes the services that select a pod, or did, when it changes in a way that its endpoints show. */
export function watchPodsOfServices(
  loop: ReconcileLoop,
  pods: SharedIndexInformer<CachedPod>,
  { services, delayMs }: { readonly services: SharedIndexInformer<CachedService>; readonly delayMs: number },
): void {
  const wake = (keys: Iterable<string>): void => {
    for (const key of keys) loop.queue.addAfter(key, delayMs);
  };
  loop.handle(pods, {
    onAdd: (pod) => wake(servicesOf(services, pod)),
    onDelete: (pod) => wake(servicesOf(services, pod)),
    onUpdate(old, pod) {
      const { podChanged, membershipChanged } = changesOf(old, pod);
      if (!podChanged && !membershipChanged) return;
      const now = servicesOf(services, pod);
      if (!membershipChanged) return wake(now);
      const before = servicesOf(services, old);
      const all = new Set([...now, ...before]);
      wake(podChanged ? all : [...all].filter((key) => now.has(key) !== before.has(key)));
    },
  });
}

/** Pure: whether the pod's endpoints look different, and whether other services may select it. */
export function changesOf(old: CachedPod, pod: CachedPod): { podChanged: boolean; membershipChanged: boolean } {
  const ips = ({ status }: CachedPod): (string | undefined)[] => (status?.podIPs ?? []).map(({ ip }) => ip);
  return {
    membershipChanged:
      !equalJson(old.metadata?.labels, pod.metadata?.labels) ||
      old.spec?.hostname !== pod.spec?.hostname ||
      old.spec?.subdomain !== pod.spec?.subdomain,
    podChanged:
      old.metadata?.deletionTimestamp !== pod.metadata?.deletionTimestamp ||
      isPodReady(old) !== isPodReady(pod) ||
      !equalJson(ips(old), ips(pod)),
  };
}
