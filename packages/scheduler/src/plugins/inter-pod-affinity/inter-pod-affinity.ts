import { getOwn } from "@coxswain/apimachinery/own";
import type { Labels, Selector } from "@coxswain/apimachinery/selector";
import { actions, clusterEvent } from "../../framework/cluster-event.js";
import type { ClusterObjects } from "../../framework/cluster-objects.js";
import { type Plugin, refuse, skip } from "../../framework/plugin.js";
import { unresolvable } from "../../framework/status.js";
import { allTermsMatch, resolveNamespaces } from "../../pod/affinity-term.js";
import type { Node, Pod } from "../../pod/objects.js";
import { PodInfo } from "../../pod/pod-info.js";
import { AffinityFilter } from "./affinity-filter.js";
import { prepareAffinityScorer } from "./affinity-scorer.js";

export interface InterPodAffinityArgs {
  readonly hardPodAffinityWeight: number;
  readonly ignorePreferredTermsOfExistingPods: boolean;
}

const name = "InterPodAffinity";

/** Affinity and anti-affinity between pods, within topology domains. */
export function createInterPodAffinity(
  args: InterPodAffinityArgs,
  { namespaces }: Pick<ClusterObjects, "namespaces">,
): Plugin {
  const select = (selector: Selector): readonly string[] =>
    namespaces
      .list()
      .filter(({ metadata }) => selector.matches(metadata?.labels))
      .map(({ metadata }) => metadata?.name ?? "");
  const labelsOf = (namespace: string): Labels => namespaces.get(namespace)?.metadata?.labels;
  return {
    name,
    events: [
      { event: clusterEvent("Pod", actions.add | actions.updatePodLabel | actions.delete), hint: afterPodChange },
      { event: clusterEvent("Node", actions.add | actions.updateNodeLabel), hint: afterNodeChange },
    ],
    preFilter({ pod: info, snapshot }) {
      try {
        const { required, requiredAnti } = info.terms;
        const filter = AffinityFilter.prepare(
          {
            info,
            required: required.map((term) => resolveNamespaces(term, select)),
            requiredAnti: requiredAnti.map((term) => resolveNamespaces(term, select)),
            namespaceLabels: labelsOf(info.namespace),
          },
          snapshot,
        );
        return filter ? { kind: "filter", filter } : skip;
      } catch (error) {
        return refuse(unresolvable(name, `parsing pod: ${error instanceof Error ? error.message : error}`));
      }
    },
    preScore({ pod: info, snapshot }) {
      const { preferred, preferredAnti } = info.terms;
      if (args.ignorePreferredTermsOfExistingPods && preferred.length === 0 && preferredAnti.length === 0) return skip;
      const scorer = prepareAffinityScorer(
        {
          info,
          preferred: preferred.map((term) => resolveNamespaces(term, select)),
          preferredAnti: preferredAnti.map((term) => resolveNamespaces(term, select)),
          namespaceLabels: labelsOf(info.namespace),
          hardWeight: args.hardPodAffinityWeight,
        },
        snapshot,
      );
      return scorer ? { kind: "score", scorer } : skip;
    },
  };
}

const hasPlace = (pod: Pod): boolean => Boolean(pod.spec?.nodeName || pod.status?.nominatedNodeName);

function afterPodChange(pod: PodInfo, old: unknown, object: unknown): boolean {
  const [before, after] = [old as Pod | undefined, object as Pod | undefined];
  if (before && after && after.metadata?.uid === pod.uid) return true;
  if ((after && !hasPlace(after)) || (before && !hasPlace(before))) return false;
  const { required, requiredAnti } = pod.terms;
  if (before && after) {
    if (!allTermsMatch(required, before) && allTermsMatch(required, after)) return true;
    return allTermsMatch(requiredAnti, before) && !allTermsMatch(requiredAnti, after);
  }
  if (after) return allTermsMatch(required, after);
  if (before === undefined) return false;
  return allTermsMatch(requiredAnti, before) || allTermsMatch(new PodInfo(before).terms.requiredAnti, pod.pod);
}

function afterNodeChange(pod: PodInfo, old: unknown, object: unknown): boolean {
  const [before, after] = [old as Node | undefined, object as Node];
  const valueOf = (node: Node, key: string): string | undefined => getOwn(node.metadata?.labels, key);
  const { required, requiredAnti } = pod.terms;
  for (const { topologyKey } of required) {
    const now = valueOf(after, topologyKey);
    if (now !== undefined && (before === undefined || valueOf(before, topologyKey) !== now)) return true;
  }
  for (const { topologyKey } of requiredAnti) {
    if (before === undefined) return true;
    const was = valueOf(before, topologyKey);
    if (was !== undefined && valueOf(after, topologyKey) !== was) return true;
  }
  return false;
}
