import type { TopologySpreadConstraint } from "@coxswain/api/core/v1";
import { findUntolerated, type NodeMatch, type TolerationRules } from "@coxswain/api/placement";
import type { DeepReadonly } from "@coxswain/api/types";
import { getOwn } from "@coxswain/apimachinery/own";
import {
  type LabelRequirement,
  labelSelectorFromObject,
  type Selector,
  selectorOf,
} from "@coxswain/apimachinery/selector";
import type { NodeInfo } from "../../cache/node-info.js";
import type { Snapshot } from "../../cache/snapshot.js";
import type { Pod } from "../../pod/objects.js";
import type { PodInfo } from "../../pod/pod-info.js";

export type ApiConstraint = DeepReadonly<TopologySpreadConstraint>;

/** A constraint with its selector compiled and its defaults filled in. */
export interface SpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly selector: Selector;
  readonly minDomains: number;
  readonly honorAffinity: boolean;
  readonly honorTaints: boolean;
}

export type WhenUnsatisfiable = "DoNotSchedule" | "ScheduleAnyway";

/** @throws SelectorError */
export const constraintsOf = (
  constraints: readonly ApiConstraint[],
  pod: Pod,
  when: WhenUnsatisfiable,
): readonly SpreadConstraint[] =>
  constraints
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === when)
    .map((constraint) => ({
      maxSkew: constraint.maxSkew,
      topologyKey: constraint.topologyKey,
      selector: withMatchLabelKeys(labelSelectorFromObject(constraint.labelSelector), constraint, pod),
      minDomains: constraint.minDomains ?? 1,
      honorAffinity: (constraint.nodeAffinityPolicy ?? "Honor") === "Honor",
      honorTaints: constraint.nodeTaintsPolicy === "Honor",
    }));

function withMatchLabelKeys(selector: Selector, { matchLabelKeys = [] }: ApiConstraint, pod: Pod): Selector {
  if (matchLabelKeys.length === 0 || selector.nothing) return selector;
  const requirements: LabelRequirement[] = [];
  for (const key of matchLabelKeys) {
    const value = getOwn(pod.metadata?.labels, key);
    if (value !== undefined) requirements.push({ key, operator: "=", values: [value] });
  }
  return requirements.length === 0 ? selector : selectorOf([...requirements, ...selector.requirements]);
}

/** Which nodes count for a constraint. */
export interface InclusionRules {
  readonly pod: PodInfo;
  readonly required: NodeMatch | undefined;
  readonly tolerationRules: TolerationRules;
}

export function isIncluded(
  { honorAffinity, honorTaints }: SpreadConstraint,
  info: NodeInfo,
  { pod, required, tolerationRules }: InclusionRules,
): boolean {
  if (honorAffinity && required && info.node && !required(info.node)) return false;
  return !(
    honorTaints &&
    info.hardTaints.length > 0 &&
    findUntolerated(info.hardTaints, pod.pod.spec?.tolerations, tolerationRules)
  );
}

export function hasAllTopologyKeys(
  labels: Readonly<Record<string, string>> | undefined,
  constraints: readonly SpreadConstraint[],
): boolean {
  for (const { topologyKey } of constraints) if (getOwn(labels, topologyKey) === undefined) return false;
  return true;
}

/**
 * Counts the pods of a node that a constraint selects. Kept beside the node info: in a large cluster nearly all nodes are as
 * they were for the pod before.
 */
export function createPodCounter(namespace: string, selector: Selector): (info: NodeInfo) => number {
  if (selector.empty || selector.nothing) return () => 0;
  const count = (info: NodeInfo): number => {
    let matching = 0;
    for (const { pod, namespace: own } of info.pods)
      if (own === namespace && pod.metadata?.deletionTimestamp === undefined && selector.matches(pod.metadata?.labels))
        matching++;
    return matching;
  };
  const key = `${namespace} ${selector.toString()}`;
  return (info) => (info.pods.length === 0 ? 0 : info.derived(key, count));
}

/** Whether every node counts for a constraint. */
const includesAll = ({ honorAffinity, honorTaints }: SpreadConstraint, { required }: InclusionRules): boolean =>
  !honorTaints && (!honorAffinity || required === undefined);

export interface DomainInput {
  readonly rules: InclusionRules;
  readonly snapshot: Snapshot;
  /** All of one pod. */
  readonly constraints: readonly SpreadConstraint[];
  /** Whether nodes that lack the label of one of the constraints are left out. */
  readonly requireAllKeys: boolean;
}

/**
 * Matching pods by domain, over all nodes that count. Where every node counts the sum is the same for all pods of one kind,
 * and kept: it must not be changed.
 */
export function countDomains(constraint: SpreadConstraint, input: DomainInput): ReadonlyMap<string, number> {
  const { rules, snapshot, constraints, requireAllKeys } = input;
  const { topologyKey, selector } = constraint;
  const { namespace } = rules.pod;
  const countOn = createPodCounter(namespace, selector);
  const keys = requireAllKeys ? constraints.map((one) => one.topologyKey) : [topologyKey];
  const valueOn = (info: NodeInfo): string | undefined => {
    if (requireAllKeys && !hasAllTopologyKeys(info.labels, constraints)) return undefined;
    return getOwn(info.labels, topologyKey) ?? "";
  };
  if (includesAll(constraint, rules)) {
    const kind = selector.nothing ? "nothing" : selector.toString();
    const domains = snapshot.aggregate(`spread ${topologyKey} ${keys.join()} ${requireAllKeys} ${namespace} ${kind}`, {
      create: () => new Domains(),
      add(sum, info, sign) {
        const value = valueOn(info);
        if (value !== undefined) sum.add(value, sign * countOn(info), sign);
      },
    });
    return domains.counts;
  }
  const counts = new Map<string, number>();
  for (const info of snapshot.nodes) {
    const value = valueOn(info);
    if (value !== undefined && isIncluded(constraint, info, rules))
      counts.set(value, (counts.get(value) ?? 0) + countOn(info));
  }
  return counts;
}

/** A domain is there as long as a node of it is. */
class Domains {
  readonly counts = new Map<string, number>();
  readonly #nodes = new Map<string, number>();

  add(value: string, pods: number, nodes: number): void {
    const left = (this.#nodes.get(value) ?? 0) + nodes;
    if (left === 0) {
      this.#nodes.delete(value);
      this.counts.delete(value);
      return;
    }
    this.#nodes.set(value, left);
    this.counts.set(value, (this.counts.get(value) ?? 0) + pods);
  }
}
