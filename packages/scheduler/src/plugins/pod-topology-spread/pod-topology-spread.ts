import type { TolerationRules } from "@coxswain/api/placement";
import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import { actions, clusterEvent } from "../../framework/cluster-event.js";
import { type Plugin, refuse, skip } from "../../framework/plugin.js";
import { errorStatus } from "../../framework/status.js";
import type { Node, Pod } from "../../pod/objects.js";
import type { PodInfo } from "../../pod/pod-info.js";
import { defaultSelector, type OwnerObjects } from "./default-selector.js";
import {
  type ApiConstraint,
  constraintsOf,
  hasAllTopologyKeys,
  type InclusionRules,
  type SpreadConstraint,
  type WhenUnsatisfiable,
} from "./spread-constraint.js";
import { SpreadFilter } from "./spread-filter.js";
import { prepareSpreadScorer } from "./spread-scorer.js";

export interface PodTopologySpreadArgs {
  readonly defaultConstraints?: readonly ApiConstraint[];
  readonly defaultingType: "System" | "List";
}

const name = "PodTopologySpread";

/** For pods without constraints of their own, where the configuration has no others. */
const systemConstraints: readonly ApiConstraint[] = [
  { topologyKey: "kubernetes.io/hostname", whenUnsatisfiable: "ScheduleAnyway", maxSkew: 3 },
  { topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "ScheduleAnyway", maxSkew: 5 },
];

/** Spreads the pods of one kind over topology domains. */
export function createPodTopologySpread(
  args: PodTopologySpreadArgs,
  { objects, tolerationRules }: { readonly objects: OwnerObjects; readonly tolerationRules: TolerationRules },
): Plugin {
  const isSystem = args.defaultingType === "System";
  const defaults = isSystem ? systemConstraints : (args.defaultConstraints ?? []);

  function constraintsFor(pod: Pod, when: WhenUnsatisfiable): readonly SpreadConstraint[] {
    const own = pod.spec?.topologySpreadConstraints ?? [];
    if (own.length > 0) return constraintsOf(own, pod, when);
    const constraints = constraintsOf(defaults, pod, when);
    if (constraints.length === 0) return constraints;
    const selector = defaultSelector(pod, objects);
    return selector.empty ? [] : constraints.map((constraint) => ({ ...constraint, selector }));
  }

  const rulesFor = (pod: PodInfo): InclusionRules => ({ pod, required: pod.requiredNodeMatch, tolerationRules });
  const hints = createHints((pod) => constraintsFor(pod, "DoNotSchedule"));
  return {
    name,
    events: [
      {
        event: clusterEvent("Pod", actions.add | actions.updatePodLabel | actions.updatePodToleration | actions.delete),
        hint: hints.afterPodChange,
      },
      {
        event: clusterEvent("Node", actions.add | actions.delete | actions.updateNodeLabel | actions.updateNodeTaint),
        hint: hints.afterNodeChange,
      },
    ],
    preFilter({ pod, snapshot }) {
      try {
        const constraints = constraintsFor(pod.pod, "DoNotSchedule");
        if (constraints.length === 0) return skip;
        return { kind: "filter", filter: SpreadFilter.prepare(rulesFor(pod), constraints, snapshot) };
      } catch (error) {
        return refuse(errorStatus(name, error));
      }
    },
    preScore({ pod, snapshot }, nodes) {
      const constraints = constraintsFor(pod.pod, "ScheduleAnyway");
      if (constraints.length === 0) return skip;
      const requireAllKeys = (pod.pod.spec?.topologySpreadConstraints?.length ?? 0) > 0 || !isSystem;
      return {
        kind: "score",
        scorer: prepareSpreadScorer({ rules: rulesFor(pod), constraints, snapshot, nodes, requireAllKeys }),
      };
    },
  };
}

function createHints(constraintsFor: (pod: Pod) => readonly SpreadConstraint[]) {
  const selects = (constraints: readonly SpreadConstraint[], pod: Pod): boolean =>
    constraints.some(({ selector }) => selector.matches(pod.metadata?.labels));
  const concerns = (pod: PodInfo, other: Pod): boolean => {
    if (other.metadata?.uid === pod.uid) return true;
    return (
      Boolean(other.spec?.nodeName || other.status?.nominatedNodeName) && other.metadata?.namespace === pod.namespace
    );
  };
  return {
    afterPodChange(pod: PodInfo, old: unknown, object: unknown): boolean {
      const [before, after] = [old as Pod | undefined, object as Pod | undefined];
      if ((after && !concerns(pod, after)) || (before && !concerns(pod, before))) return false;
      const constraints = constraintsFor(pod.pod);
      if (before && after) {
        const tolerationsChanged = !equalJson(before.spec?.tolerations ?? [], after.spec?.tolerations ?? []);
        if (after.metadata?.uid === pod.uid && tolerationsChanged && constraints.some(({ honorTaints }) => honorTaints))
          return true;
        return constraints.some(
          ({ selector }) => selector.matches(before.metadata?.labels) !== selector.matches(after.metadata?.labels),
        );
      }
      const one = after ?? before;
      return one !== undefined && selects(constraints, one);
    },
    afterNodeChange({ pod }: PodInfo, old: unknown, object: unknown): boolean {
      const [before, after] = [old as Node | undefined, object as Node | undefined];
      const constraints = constraintsFor(pod);
      const was = before !== undefined && hasAllTopologyKeys(before.metadata?.labels, constraints);
      const is = after !== undefined && hasAllTopologyKeys(after.metadata?.labels, constraints);
      if (before === undefined || after === undefined) return was || is;
      if (was !== is) return true;
      const moved = constraints.some(
        ({ topologyKey }) =>
          getOwn(before.metadata?.labels, topologyKey) !== getOwn(after.metadata?.labels, topologyKey),
      );
      return is && (moved || !equalJson(before.spec?.taints ?? [], after.spec?.taints ?? []));
    },
  };
}
