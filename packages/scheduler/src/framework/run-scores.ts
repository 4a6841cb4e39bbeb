import type { NodeInfo } from "../cache/node-info.js";
import type { Cycle } from "./cycle.js";
import { maxNodeScore, type NodeScorer, type Plugin } from "./plugin.js";
import type { Profile } from "./profile.js";

/** Scores of nodes, in the order of the nodes. */
export interface Scores {
  readonly totals: Float64Array;
  /** Weighted, by plugin; those that skipped are left out. */
  readonly byPlugin: ReadonlyMap<string, Float64Array>;
}

/** @throws Error when a plugin fails or answers a score outside of 0 to 100 */
export function runScores(profile: Profile, cycle: Cycle, nodes: readonly NodeInfo[]): Scores {
  const totals = new Float64Array(nodes.length);
  const byPlugin = new Map<string, Float64Array>();
  for (const { plugin, scorer } of prepare(profile, cycle, nodes)) {
    const scores = new Float64Array(nodes.length);
    for (let at = 0; at < nodes.length; at++) scores[at] = scorer.score(nodes[at] as NodeInfo);
    scorer.normalize?.(scores, nodes);
    const weight = profile.weights.get(plugin.name) ?? 1;
    for (let at = 0; at < nodes.length; at++) {
      const score = scores[at] as number;
      if (!(score >= 0 && score <= maxNodeScore))
        throw new Error(
          `applying score defaultWeights on Score plugins: plugin "${plugin.name}" returns an invalid score ${score}, it should in the range of [0, ${maxNodeScore}] after normalizing`,
        );
      scores[at] = score * weight;
      totals[at]! += score * weight;
    }
    byPlugin.set(plugin.name, scores);
  }
  return { totals, byPlugin };
}

function prepare(
  profile: Profile,
  cycle: Cycle,
  nodes: readonly NodeInfo[],
): { readonly plugin: Plugin; readonly scorer: NodeScorer }[] {
  const prepared: { plugin: Plugin; scorer: NodeScorer }[] = [];
  for (const plugin of profile.plugins.score) {
    const result = plugin.preScore?.(cycle, nodes);
    if (result === undefined || result.kind === "skip") continue;
    if (result.kind === "failed")
      throw new Error(`running PreScore plugin "${plugin.name}": ${result.error.message}`, { cause: result.error });
    prepared.push({ plugin, scorer: result.scorer });
  }
  return prepared;
}
