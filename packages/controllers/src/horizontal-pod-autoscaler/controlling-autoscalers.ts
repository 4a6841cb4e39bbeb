import { stringifyJson } from "@coxswain/apimachinery/json";
import type { Selector } from "@coxswain/apimachinery/selector";
import type { CachedPod } from "../pods/pod-state.js";

/** Knows which autoscalers scale which pods: two of them would undo each other's work. */
export interface ControllingAutoscalers {
  /** The pods that an autoscaler's target has. */
  register(key: string, selector: Selector): void;
  forget(key: string): void;
  /** Keys of all autoscalers of the pods' namespace that scale one of them. */
  of(namespace: string, pods: readonly CachedPod[]): string[];
}

export function createControllingAutoscalers(): ControllingAutoscalers {
  const byNamespace = new Map<string, Map<string, Selector>>();
  const namespaceOf = (key: string): string => key.slice(0, key.indexOf("/"));
  return {
    register(key, selector) {
      const namespace = namespaceOf(key);
      const selectors = byNamespace.get(namespace) ?? new Map<string, Selector>();
      byNamespace.set(namespace, selectors.set(key, selector));
    },
    forget(key) {
      const selectors = byNamespace.get(namespaceOf(key));
      selectors?.delete(key);
      if (selectors?.size === 0) byNamespace.delete(namespaceOf(key));
    },
    of(namespace, pods) {
      // Pods of one owner have the same labels: each set of them is looked at once.
      const labels = new Map(pods.map(({ metadata }) => [stringifyJson(metadata?.labels ?? {}), metadata?.labels]));
      return [...(byNamespace.get(namespace) ?? [])]
        .filter(([, selector]) => [...labels.values()].some((each) => selector.matches(each)))
        .map(([key]) => key)
        .sort();
    },
  };
}
