import { getOwn } from "@coxswain/apimachinery/own";
import { labelSelectorFromObject, type Selector, SelectorError } from "@coxswain/apimachinery/selector";
import type { PodDisruptionBudget } from "../framework/cluster-objects.js";
import type { PodInfo } from "../pod/pod-info.js";

/** A PodDisruptionBudget that may protect pods, with its selector compiled. */
export interface Budget {
  readonly namespace: string;
  readonly selector: Selector;
  readonly allowed: number;
  /** Pods whose eviction it has counted already. */
  isDisrupted(podName: string): boolean;
}

/** Those whose selector selects something. */
export function budgetsOf(objects: readonly PodDisruptionBudget[]): readonly Budget[] {
  return objects.flatMap(({ metadata, spec, status }) => {
    const selector = compile(spec?.selector);
    if (selector === undefined || selector.empty || selector.nothing) return [];
    const disrupted = status?.disruptedPods as Readonly<Record<string, string>> | undefined;
    return {
      namespace: metadata?.namespace ?? "",
      selector,
      allowed: status?.disruptionsAllowed ?? 0,
      isDisrupted: (podName: string) => getOwn(disrupted, podName) !== undefined,
    };
  });
}

function compile(selector: Parameters<typeof labelSelectorFromObject>[0]): Selector | undefined {
  try {
    return labelSelectorFromObject(selector);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

/** Which of the pods some budget protects, if they were evicted one after the other. */
export function splitByBudgets(
  pods: readonly PodInfo[],
  budgets: readonly Budget[],
): { readonly violating: readonly PodInfo[]; readonly others: readonly PodInfo[] } {
  const left = budgets.map(({ allowed }) => allowed);
  const violating: PodInfo[] = [];
  const others: PodInfo[] = [];
  for (const info of pods) {
    const { labels, name = "" } = info.pod.metadata ?? {};
    let violates = false;
    if (labels && Object.keys(labels).length > 0)
      for (const [at, { namespace, selector, isDisrupted }] of budgets.entries()) {
        if (namespace !== info.namespace || !selector.matches(labels) || isDisrupted(name)) continue;
        const remaining = (left[at] ?? 0) - 1;
        left[at] = remaining;
        if (remaining < 0) violates = true;
      }
    (violates ? violating : others).push(info);
  }
  return { violating, others };
}
