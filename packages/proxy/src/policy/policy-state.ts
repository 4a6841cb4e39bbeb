import type { DeepReadonly } from "@coxswain/api";
import type { NetworkPolicy } from "@coxswain/api/networking/v1";
import { families, networksOf } from "../addresses/family.js";
import type { Chain } from "../rules/element.js";
import { elementsOf, type Peer, setName, setType } from "./peer.js";
import { type Isolation, type PodIsolation, planPod } from "./plan-pod.js";
import { type Direction, type PlannedPolicy, planPolicy } from "./plan-policy.js";
import { PolicyElements } from "./policy-elements.js";
import { fixedContainers, inFamily } from "./policy-layout.js";
import type { PolicyPod } from "./policy-pod.js";

const directions: readonly Direction[] = ["ingress", "egress"];

interface TrackedPeer {
  readonly peer: Peer;
  users: number;
}

/**
 * What the policies want in the table of one node. A pod that comes or goes changes elements of the sets that it is in; chains change
 * with policies. Pods of this node are planned anew when their labels or the policies of their namespace change.
 */
export class PolicyState {
  readonly elements = new PolicyElements();
  readonly #nodeName: string;
  readonly #pods = new Map<string, PolicyPod>();
  readonly #namespaces = new Map<string, Readonly<Record<string, string>>>();
  readonly #policies = new Map<string, Map<string, PlannedPolicy>>();
  readonly #peers = new Map<string, TrackedPeer>();
  readonly #chains = new Map<string, { readonly chain: Chain; users: number }>();
  readonly #isolations = new Map<string, PodIsolation>();
  /** Pods of this node that a policy selects and whose address is not known yet. */
  readonly #pending = new Set<string>();
  #networks: readonly string[] = [];

  constructor(nodeName: string) {
    this.#nodeName = nodeName;
    for (const [name, kind] of fixedContainers) this.elements.declare(name, kind);
  }

  get chains(): Iterable<Chain> {
    return [...this.#chains.values()].map(({ chain }) => chain);
  }

  hasChain(name: string): boolean {
    return this.#chains.has(name);
  }

  get peerSets(): ReadonlySet<string> {
    return new Set([...this.#peers.values()].flatMap(({ peer }) => families.map((family) => setName(peer, family))));
  }

  putPod(pod: PolicyPod): void {
    this.removePod(pod.key);
    this.#pods.set(pod.key, pod);
    for (const { peer } of this.#peers.values()) this.#join(peer, pod, "add");
    if (pod.nodeName === this.#nodeName) this.#isolate(pod);
  }

  removePod(key: string): void {
    const pod = this.#pods.get(key);
    if (pod === undefined) return;
    this.#release(pod);
    for (const { peer } of this.#peers.values()) this.#join(peer, pod, "remove");
    this.#pods.delete(key);
  }

  /** Labels of a namespace; undefined: it is gone. */
  putNamespace(name: string, labels: Readonly<Record<string, string>> | undefined): void {
    const pods = [...this.#pods.values()].filter(({ namespace }) => namespace === name);
    const joinAll = (verb: "add" | "remove"): void => {
      for (const { peer } of this.#peers.values()) for (const pod of pods) this.#join(peer, pod, verb);
    };
    joinAll("remove");
    if (labels === undefined) this.#namespaces.delete(name);
    else this.#namespaces.set(name, labels);
    joinAll("add");
  }

  putPolicy(key: string, policy: DeepReadonly<NetworkPolicy> | undefined): void {
    const [namespace = ""] = key.split("/");
    const all = this.#policies.get(namespace) ?? new Map<string, PlannedPolicy>();
    this.#policies.set(namespace, all);
    if (policy === undefined) all.delete(key);
    else all.set(key, planPolicy(policy));
    if (all.size === 0) this.#policies.delete(namespace);
    for (const pod of this.#pods.values())
      if (pod.namespace === namespace && pod.nodeName === this.#nodeName) {
        const before = this.#isolations.get(pod.key);
        this.#isolate(pod);
        // What stays is counted once more before it is counted less: sets are not emptied and filled again.
        this.#forgetIsolation(pod, before);
      }
  }

  /** The networks of this node's pods. */
  putNetworks(networks: readonly string[]): void {
    const isPending = this.#pending.size > 0;
    if (isPending) this.#pend("remove");
    this.#networks = networks;
    if (isPending) this.#pend("add");
  }

  #isolate(pod: PolicyPod): void {
    const plan = planPod(pod, this.#policies.get(pod.namespace)?.values() ?? []);
    const isKnown = this.#isolations.has(pod.key);
    this.#isolations.set(pod.key, plan);
    for (const direction of directions) this.#use(plan[direction]);
    this.#place(pod, plan, "add");
    if (!isKnown) this.#placeKnown(pod, "add");
    this.#setPending(pod.key, pod.addresses.length === 0 && Object.keys(plan).length > 0);
  }

  #release(pod: PolicyPod): void {
    const plan = this.#isolations.get(pod.key);
    if (plan === undefined) return;
    this.#isolations.delete(pod.key);
    this.#forgetIsolation(pod, plan);
    this.#placeKnown(pod, "remove");
    this.#setPending(pod.key, false);
  }

  #forgetIsolation(pod: PolicyPod, plan: PodIsolation | undefined): void {
    if (plan === undefined) return;
    this.#place(pod, plan, "remove");
    for (const direction of directions) this.#unuse(plan[direction]);
  }

  /** The pod's addresses lead to its chains. */
  #place(pod: PolicyPod, plan: PodIsolation, verb: "add" | "remove"): void {
    for (const direction of directions) {
      const isolation = plan[direction];
      if (isolation === undefined) continue;
      for (const { family, text } of pod.addresses)
        this.elements[verb](inFamily(direction, family), text, `jump ${isolation.chain.name}`);
    }
  }

  #placeKnown(pod: PolicyPod, verb: "add" | "remove"): void {
    for (const { family, text } of pod.addresses) {
      this.elements[verb](inFamily("known", family), text);
      this.elements[verb](inFamily("self", family), `${text} . ${text}`);
    }
  }

  #setPending(key: string, isPending: boolean): void {
    const before = this.#pending.size;
    if (isPending) this.#pending.add(key);
    else this.#pending.delete(key);
    if (before === 0 && this.#pending.size > 0) this.#pend("add");
    if (before > 0 && this.#pending.size === 0) this.#pend("remove");
  }

  #pend(verb: "add" | "remove"): void {
    for (const family of families)
      for (const { text } of networksOf(family, this.#networks)) this.elements[verb](inFamily("pending", family), text);
  }

  #use(isolation: Isolation | undefined): void {
    if (isolation === undefined) return;
    const { chain, peers } = isolation;
    const tracked = this.#chains.get(chain.name);
    if (tracked === undefined) this.#chains.set(chain.name, { chain, users: 1 });
    else tracked.users++;
    for (const peer of peers) this.#usePeer(peer);
  }

  #unuse(isolation: Isolation | undefined): void {
    if (isolation === undefined) return;
    const tracked = this.#chains.get(isolation.chain.name);
    if (tracked !== undefined && --tracked.users === 0) this.#chains.delete(isolation.chain.name);
    for (const peer of isolation.peers) {
      const found = this.#peers.get(peer.name);
      if (found !== undefined && --found.users === 0) this.#peers.delete(peer.name);
    }
  }

  #usePeer(peer: Peer): void {
    const found = this.#peers.get(peer.name);
    if (found !== undefined) {
      found.users++;
      return;
    }
    this.#peers.set(peer.name, { peer, users: 1 });
    for (const family of families) {
      // A set that waited for its deletion begins anew.
      this.elements.empty(setName(peer, family));
      this.elements.declare(setName(peer, family), { kind: "set", type: `type ${setType(peer, family)}` });
    }
    for (const pod of this.#pods.values()) this.#join(peer, pod, "add");
  }

  /** The pod's elements in the peer's sets, if it is one of the peer's pods. */
  #join(peer: Peer, pod: PolicyPod, verb: "add" | "remove"): void {
    if (pod.addresses.length === 0 || !peer.matches(pod, this.#namespaces.get(pod.namespace) ?? {})) return;
    for (const family of families)
      for (const element of elementsOf(peer, pod, family)) this.elements[verb](setName(peer, family), element);
  }
}
