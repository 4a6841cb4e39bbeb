import { getOwn } from "@coxswain/apimachinery/own";
import type { Labels } from "@coxswain/apimachinery/selector";
import type { NodeInfo } from "../../cache/node-info.js";
import type { Snapshot } from "../../cache/snapshot.js";
import { maxNodeScore, type NodeScorer } from "../../framework/plugin.js";
import { type AffinityTerm, termMatches, type WeightedAffinityTerm } from "../../pod/affinity-term.js";
import type { PodInfo } from "../../pod/pod-info.js";

export interface ScoredPod {
  readonly info: PodInfo;
  readonly preferred: readonly WeightedAffinityTerm[];
  readonly preferredAnti: readonly WeightedAffinityTerm[];
  readonly namespaceLabels: Labels;
  /** What the required affinity of pods that run counts for the pods that they want near. */
  readonly hardWeight: number;
}

type Weights = Map<string, Map<string, number>>;

/** Undefined: no pod has a preference that concerns this one, and this one has none that concerns any. */
export function prepareAffinityScorer(pod: ScoredPod, snapshot: Snapshot): NodeScorer | undefined {
  const weights: Weights = new Map();
  const hasPreferences = pod.preferred.length > 0 || pod.preferredAnti.length > 0;
  for (const node of hasPreferences ? snapshot.nodes : snapshot.withAffinity) {
    if (node.labels === undefined) continue;
    for (const other of hasPreferences ? node.pods : node.podsWithAffinity) weigh(weights, pod, other, node);
  }
  if (weights.size === 0) return undefined;
  return {
    score({ labels }) {
      let sum = 0;
      for (const [key, values] of weights) {
        const value = getOwn(labels, key);
        if (value !== undefined) sum += values.get(value) ?? 0;
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

function weigh(weights: Weights, pod: ScoredPod, other: PodInfo, node: NodeInfo): void {
  const { info, preferred, preferredAnti, namespaceLabels, hardWeight } = pod;
  const add = (term: AffinityTerm, to: PodInfo, labels: Labels, weight: number): void => {
    if (!termMatches(term, to.pod, labels)) return;
    const value = getOwn(node.labels, term.topologyKey);
    if (value === undefined) return;
    let values = weights.get(term.topologyKey);
    if (values === undefined) weights.set(term.topologyKey, (values = new Map()));
    values.set(value, (values.get(value) ?? 0) + weight);
  };
  for (const term of preferred) add(term, other, undefined, term.weight);
  for (const term of preferredAnti) add(term, other, undefined, -term.weight);
  if (!other.hasPodAffinity) return;
  const { terms } = other;
  if (hardWeight > 0) for (const term of terms.required) add(term, info, namespaceLabels, hardWeight);
  for (const term of terms.preferred) add(term, info, namespaceLabels, term.weight);
  for (const term of terms.preferredAnti) add(term, info, namespaceLabels, -term.weight);
}
