import { findUntolerated, isHard, isTolerated, type TolerationRules } from "@coxswain/api/placement";
import { actions, clusterEvent } from "../../framework/cluster-event.js";
import type { Plugin } from "../../framework/plugin.js";
import { unresolvable } from "../../framework/status.js";
import type { Node, Pod } from "../../pod/objects.js";
import { normalizeScores } from "../normalize-scores.js";

const name = "TaintToleration";
const refused = unresolvable(name, "node(s) had untolerated taint(s)");

/** Keeps pods off nodes whose taints they do not tolerate, and prefers nodes with few taints that are a preference. */
export function createTaintToleration(rules: TolerationRules): Plugin {
  const isUntolerated = (node: Node, pod: Pod): boolean =>
    findUntolerated(node.spec?.taints?.filter(isHard) ?? [], pod.spec?.tolerations, rules) !== undefined;
  return {
    name,
    events: [
      {
        event: clusterEvent("Node", actions.add | actions.updateNodeTaint),
        hint: ({ pod }, old, object) =>
          (old === undefined || isUntolerated(old as Node, pod)) && !isUntolerated(object as Node, pod),
      },
      {
        event: clusterEvent("Pod", actions.updatePodToleration),
        hint: (pod, _, object) => (object as Pod).metadata?.uid === pod.uid,
      },
    ],
    preFilter({ pod }) {
      const tolerations = pod.pod.spec?.tolerations;
      return {
        kind: "filter",
        filter: {
          filter: ({ hardTaints }) =>
            hardTaints.length === 0 || findUntolerated(hardTaints, tolerations, rules) === undefined
              ? undefined
              : refused,
        },
      };
    },
    preScore({ pod }) {
      const soft = pod.pod.spec?.tolerations?.filter(({ effect }) => !effect || effect === "PreferNoSchedule");
      return {
        kind: "score",
        scorer: {
          score({ softTaints }) {
            let untolerated = 0;
            for (const taint of softTaints) if (!isTolerated(taint, soft, rules)) untolerated++;
            return untolerated;
          },
          normalize: (scores) => normalizeScores(scores, true),
        },
      };
    },
  };
}
