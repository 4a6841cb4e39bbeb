import { getOwn } from "@coxswain/apimachinery/own";
import type { Labels } from "@coxswain/apimachinery/selector";
import type { Snapshot } from "../../cache/snapshot.js";
import { maxNodeScore, type NodeScorer } from "../../framework/plugin.js";
import type { WeightedAffinityTerm } from "../../pod/affinity-term.js";
import type { AffinityTerms, PodInfo } from "../../pod/pod-info.js";
import { podsSelectedBy, termsOfPods, termsSelecting } from "./term-sums.js";
import type { TopologyCounts } from "./topology-counts.js";

export interface ScoredPod {
  readonly info: PodInfo;
  readonly preferred: readonly WeightedAffinityTerm[];
  readonly preferredAnti: readonly WeightedAffinityTerm[];
  readonly namespaceLabels: Labels;
  /** What the required affinity of pods that run counts for the pods that they want near. */
  readonly hardWeight: number;
}

/** Undefined: no pod has a preference that concerns this one, and this one has none that concerns any. */
export function prepareAffinityScorer(pod: ScoredPod, snapshot: Snapshot): NodeScorer | undefined {
  const { info, namespaceLabels, hardWeight } = pod;
  /** By the label that makes the domains. The counts are looked up and not summed up before: there may be as many domains as nodes. */
  const parts: { readonly key: string; readonly values: ReadonlyMap<string, number>; readonly weight: number }[] = [];
  const add = (counts: TopologyCounts, weight: number): void => {
    for (const key of counts.keys()) parts.push({ key, values: counts.ofKey(key), weight });
  };
  const addOthers = (kind: keyof AffinityTerms, sign: 1 | -1): void => {
    for (const { counts, weight } of termsSelecting(termsOfPods(snapshot, kind), info, namespaceLabels))
      add(counts, sign * (kind === "required" ? hardWeight : weight));
  };
  for (const term of pod.preferred) add(podsSelectedBy(snapshot, term), term.weight);
  for (const term of pod.preferredAnti) add(podsSelectedBy(snapshot, term), -term.weight);
  if (hardWeight > 0) addOthers("required", 1);
  addOthers("preferred", 1);
  addOthers("preferredAnti", -1);
  if (parts.length === 0) return undefined;
  return {
    score({ labels }) {
      let sum = 0;
      for (const { key, values, weight } of parts) {
        const value = getOwn(labels, key);
        if (value !== undefined) sum += weight * (values.get(value) ?? 0);
      }
      return sum;
    },
    normalize(scores) {
      let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (const score of scores) {
        if (score < least) least = score;
        if (score > most) most = score;
      }
      const range = most - least;
      for (let at = 0; at < scores.length; at++)
        scores[at] = range > 0 ? Math.trunc(maxNodeScore * (((scores[at] as number) - least) / range)) : 0;
    },
  };
}
