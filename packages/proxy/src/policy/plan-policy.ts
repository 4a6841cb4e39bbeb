import type { DeepReadonly } from "@coxswain/api";
import type { NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from "@coxswain/api/networking/v1";
import { disjointNetworks } from "../addresses/disjoint-networks.js";
import { families, readNetwork } from "../addresses/family.js";
import { createPeer, type Peer, selectorOf, setName } from "./peer.js";
import type { PolicyPod } from "./policy-pod.js";
import { type PortRange, portSet } from "./port-ranges.js";

export type Direction = "ingress" | "egress";

/** Rules that let a pod's connections through, and the peers whose sets they look at. */
export interface AllowRules {
  readonly rules: readonly string[];
  readonly peers: readonly Peer[];
}

/** A policy, read once. */
export interface PlannedPolicy {
  readonly namespace: string;
  selects(pod: Pick<PolicyPod, "namespace" | "labels">): boolean;
  readonly directions: ReadonlySet<Direction>;
  /** What it allows a pod that it selects. Only named ports of ingress make a difference between pods. */
  allow(direction: Direction, pod: Pick<PolicyPod, "namedPorts">): AllowRules;
}

/** Pure: what a policy isolates and allows. */
export function planPolicy(policy: DeepReadonly<NetworkPolicy>): PlannedPolicy {
  const { namespace = "" } = policy.metadata ?? {};
  const { podSelector, ingress = [], egress = [], policyTypes } = policy.spec ?? {};
  const selector = selectorOf(podSelector);
  const types = policyTypes ?? (egress.length > 0 ? ["Ingress", "Egress"] : ["Ingress"]);
  const directions = new Set<Direction>();
  if (types.includes("Ingress")) directions.add("ingress");
  if (types.includes("Egress")) directions.add("egress");
  return {
    namespace,
    selects: (pod) => pod.namespace === namespace && selector.matches(pod.labels),
    directions,
    allow(direction, pod) {
      const rules: readonly Rule[] =
        direction === "ingress"
          ? ingress.map(({ from, ports }) => ({ peers: from ?? [], ports: ports ?? [] }))
          : egress.map(({ to, ports }) => ({ peers: to ?? [], ports: ports ?? [] }));
      const allowed = rules.map((rule) => allowRule(rule, { namespace, direction, pod }));
      return { rules: allowed.flatMap((one) => one.rules), peers: allowed.flatMap((one) => one.peers) };
    },
  };
}

interface Rule {
  readonly peers: readonly DeepReadonly<NetworkPolicyPeer>[];
  readonly ports: readonly DeepReadonly<NetworkPolicyPort>[];
}

interface Context {
  readonly namespace: string;
  readonly direction: Direction;
  readonly pod: Pick<PolicyPod, "namedPorts">;
}

function allowRule(rule: Rule, context: Context): AllowRules {
  const matches = portMatches(rule.ports, context);
  const peers: Peer[] = [];
  const found = rule.peers.length === 0 ? [undefined] : rule.peers;
  const rules = found.flatMap((peer) => [
    ...addressMatches(peer, context, peers).flatMap((address) => matches.map((port) => `${address}${port}return`)),
    ...namedEgress(rule, peer, context, peers),
  ]);
  return { rules, peers };
}

/** "ip saddr @peer-…-4 ": what a connection's other end must be. No peer at all: anything, "". */
function addressMatches(
  peer: DeepReadonly<NetworkPolicyPeer> | undefined,
  { namespace, direction }: Context,
  peers: Peer[],
): string[] {
  if (peer === undefined) return [""];
  const end = direction === "ingress" ? "saddr" : "daddr";
  if (peer.ipBlock !== undefined) {
    const network = readNetwork(peer.ipBlock.cidr);
    if (network === undefined) return [];
    const ip = network.family === "IPv4" ? "ip" : "ip6";
    const except = disjointNetworks(peer.ipBlock.except ?? []);
    const but = except.length === 0 ? "" : `${ip} ${end} != { ${except.join(", ")} } `;
    return [`${ip} ${end} ${network.text} ${but}`];
  }
  const made = createPeer({ namespace, podSelector: peer.podSelector, namespaceSelector: peer.namespaceSelector });
  peers.push(made);
  return families.map((family) => `${family === "IPv4" ? "ip" : "ip6"} ${end} @${setName(made, family)} `);
}

/** "tcp dport { 80 } ": what its port must be; no ports at all: anything, "". Names that mean nothing here match nothing. */
function portMatches(ports: Rule["ports"], { direction, pod }: Context): string[] {
  if (ports.length === 0) return [""];
  const whole = new Set<string>();
  const ranges = new Map<string, PortRange[]>();
  for (const { protocol = "TCP", port, endPort } of ports) {
    const found = ranges.get(protocol) ?? [];
    ranges.set(protocol, found);
    if (port === undefined) whole.add(protocol);
    else if (typeof port === "number") found.push({ first: port, last: endPort ?? port });
    else if (direction === "ingress")
      for (const named of pod.namedPorts)
        if (named.name === port && named.protocol === protocol) found.push({ first: named.port, last: named.port });
  }
  return [...ranges].flatMap(([name, found]) => {
    const protocol = name.toLowerCase();
    if (whole.has(name)) return [`meta l4proto ${protocol} `];
    return found.length === 0 ? [] : [`${protocol} dport { ${portSet(found)} } `];
  });
}

/** Egress to a named port: every peer may have another number under that name. To a network there is no name to look up. */
function namedEgress(
  { ports }: Rule,
  peer: DeepReadonly<NetworkPolicyPeer> | undefined,
  { namespace, direction }: Context,
  peers: Peer[],
): string[] {
  if (direction === "ingress" || peer?.ipBlock !== undefined) return [];
  return ports.flatMap(({ protocol = "TCP", port }) => {
    if (typeof port !== "string") return [];
    const selectors =
      peer === undefined
        ? { namespace, namespaceSelector: {} }
        : { namespace, podSelector: peer.podSelector, namespaceSelector: peer.namespaceSelector };
    const made = createPeer(selectors, { name: port, protocol });
    peers.push(made);
    return families.map((family) => {
      const ip = family === "IPv4" ? "ip" : "ip6";
      return `${ip} daddr . ${protocol.toLowerCase()} dport @${setName(made, family)} return`;
    });
  });
}
