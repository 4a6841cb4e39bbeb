import type { DeepReadonly } from "@coxswain/api";
import type { NodeSelectorTerm } from "@coxswain/api/core/v1";
import type { FieldPath } from "@coxswain/apimachinery/field";

const advice: ReadonlyMap<string, string> = new Map([
  ["beta.kubernetes.io/arch", 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ["beta.kubernetes.io/os", 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ["failure-domain.beta.kubernetes.io/region", 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ["failure-domain.beta.kubernetes.io/zone", 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ["beta.kubernetes.io/instance-type", 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ["app.kubernetes.io/created-by", "deprecated since v1.9"],
  ["scheduler.alpha.kubernetes.io/preferAvoidPods", "deprecated since v1.22; use Taints and Tolerations instead"],
  ["node-role.kubernetes.io/master", 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** What is said of an old label of nodes; undefined for any other. */
export const nodeLabelAdvice = (label: string): string | undefined => advice.get(label);

export const nodeTermWarnings = ({ matchExpressions = [] }: DeepReadonly<NodeSelectorTerm>, path: FieldPath): string[] =>
  matchExpressions.flatMap(({ key }, at) => {
    const found = nodeLabelAdvice(key);
    return found === undefined ? [] : [`${path.child("matchExpressions").index(at).child("key")}: ${key} is ${found}`];
  });
