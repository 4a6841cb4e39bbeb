import type { DeepReadonly } from "@coxswain/api";
import { fieldPath } from "@coxswain/apimachinery/field";
import { ownKeys } from "@coxswain/apimachinery/own";
import { deprecatedNodeLabel } from "../../pod-spec/warnings/deprecated-node-labels.js";
import type { StoredCsiStorageCapacity } from "./stored.js";

const path = fieldPath("nodeTopology");

export function csiStorageCapacityWarnings({ nodeTopology }: DeepReadonly<StoredCsiStorageCapacity>): string[] {
  const expressions = (nodeTopology?.matchExpressions ?? []).flatMap(({ key }, at) => {
    const advice = deprecatedNodeLabel(key);
    return advice === undefined
      ? []
      : [`${path.child("matchExpressions").index(at).child("key")}: ${key} is ${advice}`];
  });
  const labels = ownKeys(nodeTopology?.matchLabels).flatMap((key) => {
    const advice = deprecatedNodeLabel(key);
    return advice === undefined ? [] : [`${path.child("matchLabels", key)}: ${advice}`];
  });
  return [...expressions, ...labels];
}
