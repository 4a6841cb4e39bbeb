import { equalJson } from "@coxswain/apimachinery/json";
import { actions, clusterEvent } from "../../framework/cluster-event.js";
import { type Plugin, skip } from "../../framework/plugin.js";
import { unresolvable } from "../../framework/status.js";
import type { Node, Pod } from "../../pod/objects.js";
import { requiredFeatures } from "./required-features.js";

const name = "NodeDeclaredFeatures";
const refused = unresolvable(name, "node(s) didn't match Pod's required features");

/** Keeps pods that need a feature of the kubelet off nodes that do not declare it. */
export const createNodeDeclaredFeatures = (): Plugin => ({
  name,
  events: [
    {
      event: clusterEvent("Node", actions.add | actions.updateNodeDeclaredFeature),
      hint: (_, old, object) =>
        old === undefined ||
        !equalJson((old as Node).status?.declaredFeatures ?? [], (object as Node).status?.declaredFeatures ?? []),
    },
    {
      event: clusterEvent("Pod", actions.update),
      hint: (pod, old, object) =>
        (object as Pod).metadata?.uid === pod.uid &&
        !equalJson(requiredFeatures(old as Pod), requiredFeatures(object as Pod)),
    },
  ],
  preFilter({ pod: { pod } }) {
    const needed = requiredFeatures(pod);
    if (needed.length === 0) return skip;
    return {
      kind: "filter",
      filter: {
        filter: ({ declaredFeatures }) =>
          needed.every((feature) => declaredFeatures.has(feature)) ? undefined : refused,
      },
    };
  },
});
