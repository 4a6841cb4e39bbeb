import type { DeepReadonly } from "@coxswain/api";
import type { NodeSelectorTerm } from "@coxswain/api/core/v1";
import type { FieldPath } from "@coxswain/apimachinery/field";
import { getOwn } from "@coxswain/apimachinery/own";
import { checkLabelValue } from "@coxswain/apimachinery/validation";

const deprecated: Readonly<Record<string, string>> = {
  "beta.kubernetes.io/arch": 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  "beta.kubernetes.io/os": 'deprecated since v1.14; use "kubernetes.io/os" instead',
  "failure-domain.beta.kubernetes.io/region": 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  "failure-domain.beta.kubernetes.io/zone": 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  "beta.kubernetes.io/instance-type": 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  "app.kubernetes.io/created-by": "deprecated since v1.9",
  "scheduler.alpha.kubernetes.io/preferAvoidPods": "deprecated since v1.22; use Taints and Tolerations instead",
  "node-role.kubernetes.io/master": 'use "node-role.kubernetes.io/control-plane" instead',
};

/** The warning for a node label that is deprecated. */
export const deprecatedNodeLabel = (key: string): string | undefined => getOwn(deprecated, key);

export function nodeSelectorTermWarnings(
  { matchExpressions = [] }: DeepReadonly<NodeSelectorTerm>,
  path: FieldPath,
  { checkValues }: { checkValues: boolean },
): string[] {
  return matchExpressions.flatMap(({ key, values = [] }, i) => {
    const at = path.child("matchExpressions").index(i);
    const why = deprecatedNodeLabel(key);
    const ofKey = why === undefined ? [] : [`${at.child("key")}: ${key} is ${why}`];
    if (!checkValues) return ofKey;
    return [
      ...ofKey,
      ...values.flatMap((value, v) =>
        checkLabelValue(value).map((problem) => `${at.child("values").index(v)}: ${value} is invalid, ${problem}`),
      ),
    ];
  });
}
