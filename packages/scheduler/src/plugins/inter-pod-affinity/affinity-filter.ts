import { getOwn } from "@coxswain/apimachinery/own";
import type { Labels } from "@coxswain/apimachinery/selector";
import type { NodeInfo } from "../../cache/node-info.js";
import type { Snapshot } from "../../cache/snapshot.js";
import type { NodeFilter } from "../../framework/plugin.js";
import { type Status, unresolvable, unschedulable } from "../../framework/status.js";
import { type AffinityTerm, allTermsMatch, termMatches } from "../../pod/affinity-term.js";
import type { PodInfo } from "../../pod/pod-info.js";
import { podsSelectedBy, podsSelectedByAll, termsOfPods, termsSelecting } from "./term-sums.js";
import { TopologyCounts } from "./topology-counts.js";

const name = "InterPodAffinity";
const noAffinity = unresolvable(name, "node(s) didn't match pod affinity rules");
const antiAffinity = unschedulable(name, "node(s) didn't match pod anti-affinity rules");
const existingAntiAffinity = unschedulable(name, "node(s) didn't satisfy existing pods anti-affinity rules");

export interface IncomingPod {
  readonly info: PodInfo;
  /** With the namespaces that their selectors select among their names. */
  readonly required: readonly AffinityTerm[];
  readonly requiredAnti: readonly AffinityTerm[];
  /** Of the pod's namespace. */
  readonly namespaceLabels: Labels;
}

/** Keeps a pod near those that its affinity asks for, and away from those that its anti-affinity or theirs rules out. */
export class AffinityFilter implements NodeFilter {
  readonly #pod: IncomingPod;
  readonly #existingAnti: TopologyCounts;
  readonly #affinity: TopologyCounts;
  readonly #anti: TopologyCounts;

  private constructor(
    pod: IncomingPod,
    counts: { existingAnti: TopologyCounts; affinity: TopologyCounts; anti: TopologyCounts },
  ) {
    this.#pod = pod;
    this.#existingAnti = counts.existingAnti;
    this.#affinity = counts.affinity;
    this.#anti = counts.anti;
  }

  /** Undefined: neither the pod nor any other asks for anything. */
  static prepare(pod: IncomingPod, snapshot: Snapshot): AffinityFilter | undefined {
    const ofOthers = termsSelecting(termsOfPods(snapshot, "requiredAnti"), pod.info, pod.namespaceLabels);
    const existingAnti = sumOf(Array.from(ofOthers, ({ counts }) => counts));
    const { required, requiredAnti } = pod;
    if (existingAnti.size === 0 && required.length === 0 && requiredAnti.length === 0) return undefined;
    return new AffinityFilter(pod, {
      existingAnti,
      affinity: required.length === 0 ? none : podsSelectedByAll(snapshot, required),
      anti: sumOf(requiredAnti.map((term) => podsSelectedBy(snapshot, term))),
    });
  }

  filter(node: NodeInfo): Status | undefined {
    if (!this.#satisfiesAffinity(node)) return noAffinity;
    if (!this.#satisfiesAntiAffinity(node)) return antiAffinity;
    return this.#satisfiesExisting(node) ? undefined : existingAntiAffinity;
  }

  addPod(pod: PodInfo, node: NodeInfo): void {
    this.#update(pod, node, 1);
  }

  removePod(pod: PodInfo, node: NodeInfo): void {
    this.#update(pod, node, -1);
  }

  copy(): AffinityFilter {
    return new AffinityFilter(this.#pod, {
      existingAnti: this.#existingAnti.copy(),
      affinity: this.#affinity.copy(),
      anti: this.#anti.copy(),
    });
  }

  #update(other: PodInfo, node: NodeInfo, by: 1 | -1): void {
    const { info, namespaceLabels } = this.#pod;
    addMatching(this.#existingAnti, other.terms.requiredAnti, { pod: info, labels: namespaceLabels, node, by });
    this.#countOwnTerms(other, node, by);
  }

  #countOwnTerms(other: PodInfo, node: NodeInfo, by: 1 | -1): void {
    const { required, requiredAnti } = this.#pod;
    if (required.length > 0 && allTermsMatch(required, other.pod))
      for (const { topologyKey } of required) this.#affinity.add(node, topologyKey, by);
    addMatching(this.#anti, requiredAnti, { pod: other, labels: undefined, node, by });
  }

  #satisfiesAffinity(node: NodeInfo): boolean {
    const { required, info } = this.#pod;
    let allFound = true;
    for (const { topologyKey } of required) {
      const value = getOwn(node.labels, topologyKey);
      if (value === undefined) return false;
      if (this.#affinity.get(topologyKey, value) <= 0) allFound = false;
    }
    // The first pod of a group that wants to be together may go anywhere.
    return allFound || (this.#affinity.size === 0 && allTermsMatch(required, info.pod));
  }

  #satisfiesAntiAffinity(node: NodeInfo): boolean {
    if (this.#anti.size === 0) return true;
    for (const { topologyKey } of this.#pod.requiredAnti) {
      const value = getOwn(node.labels, topologyKey);
      if (value !== undefined && this.#anti.get(topologyKey, value) > 0) return false;
    }
    return true;
  }

  #satisfiesExisting(node: NodeInfo): boolean {
    if (this.#existingAnti.size === 0) return true;
    for (const key of this.#existingAnti.keys()) {
      const value = getOwn(node.labels, key);
      if (value !== undefined && this.#existingAnti.get(key, value) > 0) return false;
    }
    return true;
  }
}

const none = new TopologyCounts();

/** Counts are changed only in copies of a filter: a single sum may be the one that is kept. */
function sumOf(all: readonly TopologyCounts[]): TopologyCounts {
  if (all.length <= 1) return all[0] ?? none;
  const sum = new TopologyCounts();
  for (const counts of all) sum.addAll(counts);
  return sum;
}

interface Match {
  readonly pod: PodInfo;
  readonly labels: Labels;
  readonly node: NodeInfo;
  readonly by: 1 | -1;
}

function addMatching(counts: TopologyCounts, terms: readonly AffinityTerm[], { pod, labels, node, by }: Match): void {
  for (const term of terms) if (termMatches(term, pod.pod, labels)) counts.add(node, term.topologyKey, by);
}
