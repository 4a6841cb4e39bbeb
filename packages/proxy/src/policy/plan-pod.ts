import { chainName } from "../rules/chain-name.js";
import type { Chain } from "../rules/element.js";
import type { Peer } from "./peer.js";
import type { Direction, PlannedPolicy } from "./plan-policy.js";
import type { PolicyPod } from "./policy-pod.js";

/** What isolates a pod in one direction: a chain that pods with equal policies share, and its peers. */
export interface Isolation {
  readonly chain: Chain;
  readonly peers: readonly Peer[];
}

export type PodIsolation = Readonly<Partial<Record<Direction, Isolation>>>;

/**
 * Pure: the chains of a pod, from all policies of its namespace. A direction for which no policy selects it is not isolated. What one
 * policy allows is allowed; the rest is dropped. The name of a chain is made of its rules: equal sets of policies are one chain.
 */
export function planPod(pod: PolicyPod, policies: Iterable<PlannedPolicy>): PodIsolation {
  const selecting = [...policies].filter((policy) => policy.selects(pod));
  const isolate = (direction: Direction): Isolation | undefined => {
    const concerned = selecting.filter(({ directions }) => directions.has(direction));
    if (concerned.length === 0) return undefined;
    const allowed = concerned.map((policy) => policy.allow(direction, pod));
    const rules = [...new Set(allowed.flatMap((one) => one.rules))].sort();
    // A rule that lets everything through makes the others superfluous.
    const all = rules.includes("return") ? ["return"] : [...rules, "drop"];
    const peers = all.length === 1 && all[0] === "return" ? [] : allowed.flatMap((one) => one.peers);
    return { chain: { name: chainName(direction, all.join("\n")).slice(0, direction.length + 17), rules: all }, peers };
  };
  const [ingress, egress] = [isolate("ingress"), isolate("egress")];
  return { ...(ingress && { ingress }), ...(egress && { egress }) };
}
