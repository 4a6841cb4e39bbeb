import { getOwn } from "@coxswain/apimachinery/own";
import type { NodeInfo } from "../../cache/node-info.js";
import type { Snapshot } from "../../cache/snapshot.js";
import { maxNodeScore, type NodeScorer } from "../../framework/plugin.js";
import {
  countDomains,
  createPodCounter,
  hasAllTopologyKeys,
  type InclusionRules,
  type SpreadConstraint,
} from "./spread-constraint.js";

export interface SpreadScorerOptions {
  readonly rules: InclusionRules;
  readonly constraints: readonly SpreadConstraint[];
  readonly snapshot: Snapshot;
  /** Those that passed. */
  readonly nodes: readonly NodeInfo[];
  /** Whether nodes that lack a label are left out; not with the system's own constraints. */
  readonly requireAllKeys: boolean;
}

const hostname = "kubernetes.io/hostname";

interface Spread {
  readonly constraint: SpreadConstraint;
  /** Matching pods by domain; a domain of hostnames is one node, counted when it is scored. */
  readonly counts: ReadonlyMap<string, number> | undefined;
  readonly countOn: (info: NodeInfo) => number;
  /** Evens out that some constraints have more domains than others. */
  readonly weight: number;
}

/** Prefers domains with few of the pods. */
export function prepareSpreadScorer(options: SpreadScorerOptions): NodeScorer {
  const { constraints, nodes, requireAllKeys } = options;
  const isIgnored = (info: NodeInfo): boolean => requireAllKeys && !hasAllTopologyKeys(info.labels, constraints);
  const scored = requireAllKeys ? nodes.filter((info) => !isIgnored(info)) : nodes;
  const spreads = constraints.map((constraint) => prepareSpread(constraint, scored, options));
  return {
    score(info) {
      if (isIgnored(info)) return 0;
      let score = 0;
      for (const { constraint, counts, countOn, weight } of spreads) {
        const value = getOwn(info.labels, constraint.topologyKey);
        if (value === undefined) continue;
        const count = counts ? (counts.get(value) ?? 0) : countOn(info);
        score += count * weight + (constraint.maxSkew - 1);
      }
      return Math.round(score);
    },
    normalize: (scores, all) => normalize(scores, all, isIgnored),
  };
}

function prepareSpread(
  constraint: SpreadConstraint,
  scored: readonly NodeInfo[],
  options: SpreadScorerOptions,
): Spread {
  const countOn = createPodCounter(options.rules.pod.namespace, constraint.selector);
  if (constraint.topologyKey === hostname)
    return { constraint, counts: undefined, countOn, weight: Math.log(scored.length + 2) };
  const values = new Set<string>();
  for (const info of scored) values.add(getOwn(info.labels, constraint.topologyKey) ?? "");
  return { constraint, counts: countDomains(constraint, options), countOn, weight: Math.log(values.size + 2) };
}

function normalize(scores: Float64Array, nodes: readonly NodeInfo[], isIgnored: (info: NodeInfo) => boolean): void {
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (const [at, info] of nodes.entries()) {
    const score = scores[at] as number;
    if (isIgnored(info)) scores[at] = -1;
    else {
      if (score < least) least = score;
      if (score > most) most = score;
    }
  }
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at] as number;
    if (score === -1) scores[at] = 0;
    else if (most === 0) scores[at] = maxNodeScore;
    else scores[at] = Math.trunc((maxNodeScore * (most + least - score)) / most);
  }
}
