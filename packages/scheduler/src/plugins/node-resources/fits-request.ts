import type { NodeInfo } from "../../cache/node-info.js";
import type { Status } from "../../framework/status.js";
import { isExtendedResourceName, type Resource } from "../../pod/resource.js";

export interface FitRules {
  /** Extended resources that some extender looks after. */
  readonly ignoredResources: ReadonlySet<string>;
  /** Domains of such resources. */
  readonly ignoredGroups: ReadonlySet<string>;
  /** Whether devices are allocated for this resource on nodes that do not count it themselves. */
  isDynamic(resource: string): boolean;
}

const name = "NodeResourcesFit";

/**
 * Compares what a pod requests with what is left on nodes. Statuses are shared: a cluster refuses a pod thousands of times for
 * a handful of reasons.
 */
export function createFitTest(requests: Resource, rules: FitRules): (node: NodeInfo) => Status | undefined {
  const { milliCpu, memory, ephemeralStorage, scalar } = requests;
  const named = [...(scalar ?? [])]
    .filter(([resource, amount]) => amount !== 0 && !isIgnored(resource, rules))
    .map(([resource, amount]) => ({ resource, amount, dynamic: rules.isDynamic(resource) }));
  const statuses = new Map<string, Status>();
  return (node) => {
    const { allocatable, requested } = node;
    let reasons = node.pods.length + 1 > allocatable.pods ? ["Too many pods"] : undefined;
    let unresolvable = false;
    if (milliCpu > 0 && milliCpu > allocatable.milliCpu - requested.milliCpu) {
      (reasons ??= []).push("Insufficient cpu");
      if (milliCpu > allocatable.milliCpu) unresolvable = true;
    }
    if (memory > 0 && memory > allocatable.memory - requested.memory) {
      (reasons ??= []).push("Insufficient memory");
      if (memory > allocatable.memory) unresolvable = true;
    }
    if (ephemeralStorage > 0 && ephemeralStorage > allocatable.ephemeralStorage - requested.ephemeralStorage) {
      (reasons ??= []).push("Insufficient ephemeral-storage");
      if (ephemeralStorage > allocatable.ephemeralStorage) unresolvable = true;
    }
    for (const { resource, amount, dynamic } of named) {
      const capacity = allocatable.scalar?.get(resource) ?? 0;
      if (dynamic && capacity === 0) continue;
      if (amount <= capacity - (requested.scalar?.get(resource) ?? 0)) continue;
      (reasons ??= []).push(`Insufficient ${resource}`);
      if (amount > capacity) unresolvable = true;
    }
    return reasons && shared(reasons, unresolvable);
  };

  function shared(reasons: readonly string[], unresolvable: boolean): Status {
    const key = `${unresolvable} ${reasons.join()}`;
    let status = statuses.get(key);
    if (status === undefined) {
      status = { code: unresolvable ? "UnschedulableAndUnresolvable" : "Unschedulable", reasons, plugin: name };
      statuses.set(key, status);
    }
    return status;
  }
}

const isIgnored = (resource: string, { ignoredResources, ignoredGroups }: FitRules): boolean =>
  isExtendedResourceName(resource) &&
  (ignoredResources.has(resource) || ignoredGroups.has(resource.slice(0, resource.indexOf("/"))));
