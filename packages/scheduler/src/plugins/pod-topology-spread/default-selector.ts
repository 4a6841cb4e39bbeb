import { ownEntries } from "@coxswain/apimachinery/own";
import {
  everything,
  type LabelRequirement,
  labelSelectorFromObject,
  type Selector,
  selectorFromLabels,
  selectorOf,
} from "@coxswain/apimachinery/selector";
import type { ClusterObjects } from "../../framework/cluster-objects.js";
import { namespaceOf, type Pod } from "../../pod/objects.js";

export type OwnerObjects = Pick<ClusterObjects, "services" | "replicationControllers" | "replicaSets" | "statefulSets">;

/** What selects a pod and those of its kind: the selectors of its services and of its controller together. */
export function defaultSelector(pod: Pod, objects: OwnerObjects): Selector {
  const labels = new Map<string, string>();
  const merge = (more: Readonly<Record<string, string>> | undefined): void => {
    for (const [key, value] of ownEntries(more)) labels.set(key, value);
  };
  const namespace = namespaceOf(pod);
  for (const { spec } of objects.services.inNamespace(namespace)) {
    const selector = spec?.selector;
    // A service without a selector selects nothing.
    if (selector && selectorFromLabels(selector).matches(pod.metadata?.labels)) merge(selector);
  }
  const owner = pod.metadata?.ownerReferences?.find(({ controller }) => controller);
  const key = `${namespace}/${owner?.name}`;
  const more: LabelRequirement[] = [];
  switch (owner && `${owner.apiVersion} ${owner.kind}`) {
    case "v1 ReplicationController":
      merge(objects.replicationControllers.get(key)?.spec?.selector);
      break;
    case "apps/v1 ReplicaSet":
      addRequirements(more, objects.replicaSets.get(key)?.spec?.selector);
      break;
    case "apps/v1 StatefulSet":
      addRequirements(more, objects.statefulSets.get(key)?.spec?.selector);
      break;
  }
  if (labels.size === 0 && more.length === 0) return everything;
  return selectorOf([
    ...[...labels].map(([k, v]): LabelRequirement => ({ key: k, operator: "=", values: [v] })),
    ...more,
  ]);
}

function addRequirements(to: LabelRequirement[], selector: Parameters<typeof labelSelectorFromObject>[0]): void {
  if (selector === undefined) return;
  for (const requirement of labelSelectorFromObject(selector).requirements) to.push(requirement);
}
