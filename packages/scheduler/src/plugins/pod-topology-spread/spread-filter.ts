import { getOwn } from "@coxswain/apimachinery/own";
import type { NodeInfo } from "../../cache/node-info.js";
import type { Snapshot } from "../../cache/snapshot.js";
import type { NodeFilter } from "../../framework/plugin.js";
import { type Status, unresolvable, unschedulable } from "../../framework/status.js";
import type { PodInfo } from "../../pod/pod-info.js";
import {
  countDomains,
  hasAllTopologyKeys,
  type InclusionRules,
  isIncluded,
  type SpreadConstraint,
} from "./spread-constraint.js";

const name = "PodTopologySpread";
const skewed = unschedulable(name, "node(s) didn't match pod topology spread constraints");
const unlabelled = unresolvable(name, "node(s) didn't match pod topology spread constraints (missing required label)");

/** One constraint with the number of matching pods in each domain. */
interface Spread {
  readonly constraint: SpreadConstraint;
  /** Changed only in copies. */
  readonly counts: ReadonlyMap<string, number>;
  /** Whether the pod itself is one of those that are spread. */
  readonly self: 0 | 1;
  /** The smallest of the counts; undefined: to be computed. */
  least: number | undefined;
}

/** Keeps pods off domains that have too many of their kind already. */
export class SpreadFilter implements NodeFilter {
  readonly #rules: InclusionRules;
  readonly #spreads: readonly Spread[];
  readonly #constraints: readonly SpreadConstraint[];

  private constructor(rules: InclusionRules, spreads: readonly Spread[]) {
    this.#rules = rules;
    this.#spreads = spreads;
    this.#constraints = spreads.map(({ constraint }) => constraint);
  }

  static prepare(rules: InclusionRules, constraints: readonly SpreadConstraint[], snapshot: Snapshot): SpreadFilter {
    const input = { rules, snapshot, constraints, requireAllKeys: true };
    const spreads = constraints.map(
      (constraint): Spread => ({
        constraint,
        counts: countDomains(constraint, input),
        self: constraint.selector.matches(rules.pod.pod.metadata?.labels) ? 1 : 0,
        least: undefined,
      }),
    );
    return new SpreadFilter(rules, spreads);
  }

  filter(info: NodeInfo): Status | undefined {
    for (const spread of this.#spreads) {
      const { constraint, counts, self } = spread;
      const value = getOwn(info.labels, constraint.topologyKey);
      if (value === undefined) return unlabelled;
      if ((counts.get(value) ?? 0) + self - leastOf(spread) > constraint.maxSkew) return skewed;
    }
    return undefined;
  }

  addPod(pod: PodInfo, info: NodeInfo): void {
    this.#update(pod, info, 1);
  }

  removePod(pod: PodInfo, info: NodeInfo): void {
    this.#update(pod, info, -1);
  }

  copy(): SpreadFilter {
    return new SpreadFilter(
      this.#rules,
      this.#spreads.map((spread) => ({ ...spread, counts: new Map(spread.counts) })),
    );
  }

  #update(pod: PodInfo, info: NodeInfo, by: 1 | -1): void {
    if (pod.namespace !== this.#rules.pod.namespace || !hasAllTopologyKeys(info.labels, this.#constraints)) return;
    for (const spread of this.#spreads) {
      const { constraint } = spread;
      if (!constraint.selector.matches(pod.pod.metadata?.labels) || !isIncluded(constraint, info, this.#rules))
        continue;
      const value = getOwn(info.labels, constraint.topologyKey) ?? "";
      // Preemption adds and removes pods in copies only, whose counts are their own.
      const counts = spread.counts as Map<string, number>;
      counts.set(value, (counts.get(value) ?? 0) + by);
      spread.least = undefined;
    }
  }
}

/** Fewer domains than wanted: as if there were one without any pod. No domain at all: nothing is too much. */
function leastOf(spread: Spread): number {
  if (spread.least === undefined) {
    spread.least = 2 ** 31 - 1;
    for (const count of spread.counts.values()) if (count < spread.least) spread.least = count;
    if (spread.counts.size < spread.constraint.minDomains) spread.least = 0;
  }
  return spread.least;
}
