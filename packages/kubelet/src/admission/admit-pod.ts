import type { Node } from "@coxswain/api/core/v1";
import { isTolerated, matchesNode } from "@coxswain/api/placement";
import type { DeepReadonly } from "@coxswain/api/types";
import { getOwn } from "@coxswain/apimachinery/own";
import { type CachedPod, isStaticPod } from "../objects/cached-pod.js";
import { hasFreePorts } from "./host-ports.js";
import { findShortage, type ResourceUse } from "./node-resources.js";

/** Whether a pod may run on a node. A refusal is the reason and message that the pod fails with. */
export type PodAdmission =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly reason: string; readonly message: string };

export interface AdmissionFacts {
  readonly node: DeepReadonly<Node> | undefined;
  /** Pods that run there already, terminal ones left out. */
  readonly others: Iterable<CachedPod>;
  /** What those have been allocated together. */
  readonly used: ResourceUse;
}

/** The gate TaintTolerationComparisonOperators is off by default, and these nodes have no gates of their own. */
export const tolerationRules = { comparison: false };

const refuse = (reason: string, message: string): PodAdmission => ({ admitted: false, reason, message });
const predicate = (name: string, why: string): PodAdmission => refuse(name, `Predicate ${name} failed: ${why}`);

/**
 * Pure: what a kubelet checks before it runs a pod, however it was assigned.
 * https://github.com/kubernetes/kubernetes/blob/v1.36.4/pkg/kubelet/lifecycle/predicate.go
 */
export function admitPod(pod: CachedPod, { node, others, used }: AdmissionFacts): PodAdmission {
  if (!node) return refuse("InvalidNodeInfo", "Kubelet cannot get node info.");
  const os = node.status?.nodeInfo?.operatingSystem || "linux";
  const asked = getOwn(pod.metadata?.labels, "kubernetes.io/os");
  if (asked !== undefined && asked !== os)
    return refuse(
      "PodOSSelectorNodeLabelDoesNotMatch",
      "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    );
  if (pod.spec?.os && pod.spec.os.name !== os)
    return refuse("PodOSNotSupported", "Failed to admit pod as the OS field doesn't match node OS");
  const groups = pod.spec?.securityContext?.supplementalGroupsPolicy;
  if (groups === "Strict" && !node.status?.features?.supplementalGroupsPolicy)
    return refuse(
      "SupplementalGroupsPolicyNotSupported",
      "SupplementalGroupsPolicy=Strict is not supported in this node",
    );
  const shortage = findShortage(pod, node, used);
  if (shortage) {
    const { resource, requested, used: taken, capacity } = shortage;
    const message = `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${taken}, capacity: ${capacity}`;
    return refuse(`OutOf${resource}`, message);
  }
  if (!matchesNode(pod.spec, node))
    return predicate("NodeAffinity", "node(s) didn't match Pod's node affinity/selector");
  if (pod.spec?.nodeName !== node.metadata?.name)
    return predicate("NodeName", "node(s) didn't match the requested node name");
  if (!hasFreePorts(pod, others))
    return predicate("NodePorts", "node(s) didn't have free ports for the requested pod ports");
  const isKept = (node.spec?.taints ?? []).every(
    (taint) => taint.effect !== "NoExecute" || isTolerated(taint, pod.spec?.tolerations, tolerationRules),
  );
  if (!isKept && !isStaticPod(pod))
    return predicate("TaintToleration", "node(s) had taints that the pod didn't tolerate");
  return { admitted: true };
}
