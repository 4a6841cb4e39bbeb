import type { Labels } from "@coxswain/apimachinery/selector";
import type { NodeInfo } from "../../cache/node-info.js";
import type { Snapshot } from "../../cache/snapshot.js";
import { type AffinityTerm, allTermsMatch, termMatches } from "../../pod/affinity-term.js";
import type { AffinityTerms, PodInfo } from "../../pod/pod-info.js";
import { TopologyCounts } from "./topology-counts.js";

/** How many pods in each domain have one and the same term. */
export interface TermSum {
  readonly term: AffinityTerm;
  /** 0 for terms that are required. */
  readonly weight: number;
  readonly counts: TopologyCounts;
}

/** The terms of one kind that pods have, each once: pods of one Deployment have the same. */
export function termsOfPods(snapshot: Snapshot, kind: keyof AffinityTerms): ReadonlyMap<string, TermSum> {
  return snapshot.aggregate(`terms ${kind}`, {
    create: () => new Map<string, TermSum>(),
    add(sums, node, sign) {
      for (const pod of node.podsWithAffinity)
        for (const term of pod.terms[kind]) {
          const weight = "weight" in term ? (term.weight as number) : 0;
          const key = `${weight} ${term.key}`;
          const sum = sums.get(key) ?? { term, weight, counts: new TopologyCounts() };
          sum.counts.add(node, term.topologyKey, sign);
          if (sum.counts.size === 0) sums.delete(key);
          else sums.set(key, sum);
        }
    },
  });
}

/** Those of them that select the pod. */
export function* termsSelecting(
  sums: ReadonlyMap<string, TermSum>,
  { pod }: PodInfo,
  namespaceLabels: Labels,
): Generator<TermSum> {
  for (const sum of sums.values()) if (termMatches(sum.term, pod, namespaceLabels)) yield sum;
}

/** How many pods a term selects in each domain. */
export const podsSelectedBy = (snapshot: Snapshot, term: AffinityTerm): TopologyCounts =>
  countPods(snapshot, `selected ${term.key}`, [term], ({ pod }) => termMatches(term, pod, undefined));

/** How many pods all of the terms select, in each domain of each. */
export const podsSelectedByAll = (snapshot: Snapshot, terms: readonly AffinityTerm[]): TopologyCounts =>
  countPods(snapshot, `all ${terms.map(({ key }) => key).join(" & ")}`, terms, ({ pod }) => allTermsMatch(terms, pod));

function countPods(
  snapshot: Snapshot,
  key: string,
  terms: readonly AffinityTerm[],
  isSelected: (pod: PodInfo) => boolean,
): TopologyCounts {
  const count = (info: NodeInfo): number => {
    let selected = 0;
    for (const pod of info.pods) if (isSelected(pod)) selected++;
    return selected;
  };
  return snapshot.aggregate(key, {
    create: () => new TopologyCounts(),
    add(counts, node, sign) {
      if (node.pods.length === 0) return;
      const selected = node.derived(key, count);
      if (selected > 0) for (const { topologyKey } of terms) counts.add(node, topologyKey, sign * selected);
    },
  });
}
