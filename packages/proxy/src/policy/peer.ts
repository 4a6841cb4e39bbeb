import type { DeepReadonly } from "@coxswain/api";
import type { LabelSelector } from "@coxswain/api/meta/v1";
import { labelSelectorFromObject, type Selector } from "@coxswain/apimachinery/selector";
import type { Family } from "../addresses/family.js";
import { chainName } from "../rules/chain-name.js";
import type { PolicyPod } from "./policy-pod.js";

/** Pods that a policy names as peers: a set of addresses in the kernel, which many policies may share. */
export interface Peer {
  /** The name of its sets, without the family: equal peers have equal names. */
  readonly name: string;
  /** With a named port, its elements are addresses and the numbers that the name has there. */
  readonly port?: { readonly name: string; readonly protocol: string };
  matches(pod: Pick<PolicyPod, "namespace" | "labels">, namespaceLabels: Readonly<Record<string, string>>): boolean;
}

export interface PeerSelectors {
  /** The policy's own, where `namespaceSelector` is not given. */
  readonly namespace: string;
  readonly podSelector?: DeepReadonly<LabelSelector> | undefined;
  readonly namespaceSelector?: DeepReadonly<LabelSelector> | undefined;
}

/** `port`: only for egress to a named port, which each pod gives another number. */
export function createPeer(selectors: PeerSelectors, port?: Peer["port"]): Peer {
  const { namespace, podSelector, namespaceSelector } = selectors;
  const pods = selectorOf(podSelector);
  const namespaces = namespaceSelector === undefined ? undefined : selectorOf(namespaceSelector);
  const text = JSON.stringify([
    namespaces === undefined ? namespace : "",
    namespaceSelector ?? null,
    podSelector ?? {},
    port ?? null,
  ]);
  return {
    name: chainName("peer", text).slice(0, "peer-".length + 16),
    ...(port !== undefined && { port }),
    matches: (pod, namespaceLabels) =>
      (namespaces === undefined ? pod.namespace === namespace : namespaces.matches(namespaceLabels)) &&
      pods.matches(pod.labels),
  };
}

/** An empty selector is everything. One that cannot be read, which the API server does not store, is nothing. */
export function selectorOf(selector: DeepReadonly<LabelSelector> = {}): Selector {
  return labelSelectorFromObject(selector as LabelSelector);
}

/** The elements that a pod is in the peer's set of one family: its addresses, with the port's number where the peer has one. */
export function elementsOf(peer: Peer, pod: PolicyPod, family: Family): string[] {
  const addresses = pod.addresses.flatMap((address) => (address.family === family ? [address.text] : []));
  const { port } = peer;
  if (port === undefined) return addresses;
  const numbers = pod.namedPorts.filter(({ name, protocol }) => name === port.name && protocol === port.protocol);
  return addresses.flatMap((address) => numbers.map(({ port: number }) => `${address} . ${number}`));
}

export const setName = ({ name }: Peer, family: Family): string => `${name}-${family === "IPv4" ? 4 : 6}`;

export const setType = ({ port }: Peer, family: Family): string =>
  `${family === "IPv4" ? "ipv4_addr" : "ipv6_addr"}${port === undefined ? "" : " . inet_service"}`;
