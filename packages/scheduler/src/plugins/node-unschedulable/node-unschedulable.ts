import { isTolerated, type TolerationRules } from "@coxswain/api/placement";
import { actions, clusterEvent } from "../../framework/cluster-event.js";
import { type Plugin, skip } from "../../framework/plugin.js";
import { unresolvable } from "../../framework/status.js";
import type { Node, Pod, Taint } from "../../pod/objects.js";

const name = "NodeUnschedulable";
const refused = unresolvable(name, "node(s) were unschedulable");
const taint: Taint = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };

/** Keeps pods off cordoned nodes, unless they tolerate the taint that stands for it. */
export const createNodeUnschedulable = (rules: TolerationRules): Plugin => ({
  name,
  events: [
    {
      event: clusterEvent("Node", actions.add | actions.updateNodeTaint),
      hint: (_, old, object) =>
        !(object as Node).spec?.unschedulable && (old === undefined || (old as Node).spec?.unschedulable === true),
    },
    {
      event: clusterEvent("Pod", actions.updatePodToleration),
      hint: (pod, _, object) =>
        (object as Pod).metadata?.uid === pod.uid && isTolerated(taint, (object as Pod).spec?.tolerations, rules),
    },
  ],
  preFilter({ pod }) {
    if (isTolerated(taint, pod.pod.spec?.tolerations, rules)) return skip;
    return { kind: "filter", filter: { filter: ({ isUnschedulable }) => (isUnschedulable ? refused : undefined) } };
  },
});
