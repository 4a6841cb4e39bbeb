import { networkInterfaces } from "node:os";
import type { DeepReadonly } from "@coxswain/api";
import type { Node } from "@coxswain/api/core/v1";
import { addressesOf, type Family, isLoopback, networksOf, readAddress } from "../addresses/family.js";
import type { ProxyConfig } from "../config/proxy-config.js";
import type { TableSettings } from "../rules/table-settings.js";

/** The node's address in each family and the family that comes first (cmd/kube-proxy/app/server.go, `detectNodeIPs`). */
export interface NodeAddresses {
  readonly primary: Family;
  readonly IPv4: string;
  readonly IPv6: string;
}

/** Pure. An InternalIP goes before an ExternalIP; `bindAddress` before both; loopback where nothing is known. */
export function detectAddresses(node: DeepReadonly<Node> | undefined, bindAddress: string): NodeAddresses {
  const reported = node?.status?.addresses ?? [];
  const candidates = ["InternalIP", "ExternalIP"].flatMap((type) =>
    reported.flatMap((one) => (one.type === type ? (readAddress(one.address) ?? []) : [])),
  );
  const [first] = candidates;
  const bound = readAddress(bindAddress);
  const isBound = bound !== undefined && bound.text !== "0.0.0.0" && bound.text !== "::";
  const primary = isBound ? bound.family : (first?.family ?? "IPv4");
  const of = (family: Family, otherwise: string): string =>
    isBound && bound.family === family
      ? bound.text
      : (candidates.find((one) => one.family === family)?.text ?? otherwise);
  return { primary, IPv4: of("IPv4", "127.0.0.1"), IPv6: of("IPv6", "::1") };
}

/** Pure: how packets of this node's pods are recognised in a family (cmd/kube-proxy/app/server_linux.go, `getLocalDetectors`). */
export function detectPods(
  { detectLocalMode, detectLocal, clusterCidrs }: ProxyConfig,
  podCidrs: readonly string[],
  family: Family,
): TableSettings["fromPods"] {
  const byInterface = (name: string) => ({ is: `iifname "${name}"`, isNot: `iifname != "${name}"` });
  if (detectLocalMode === "BridgeInterface") return byInterface(detectLocal.bridgeInterface);
  if (detectLocalMode === "InterfaceNamePrefix") return byInterface(`${detectLocal.interfaceNamePrefix}*`);
  const networks = detectLocalMode === "ClusterCIDR" ? clusterCidrs : detectLocalMode === "NodeCIDR" ? podCidrs : [];
  const [network] = networksOf(family, networks);
  if (network === undefined) return undefined;
  const ip = family === "IPv4" ? "ip" : "ip6";
  return { is: `${ip} saddr ${network.text}`, isNot: `${ip} saddr != ${network.text}` };
}

/**
 * Pure: the node's addresses in a family that accept node ports; undefined: all of them. Networks of the other family only do not limit
 * this one (pkg/proxy/util/nodeport_addresses.go).
 */
export function chooseNodePortAddresses(
  wanted: readonly string[],
  family: Family,
  { addresses, own }: { addresses: NodeAddresses; own: readonly string[] },
): readonly string[] | undefined {
  if (wanted.length === 1 && wanted[0] === "primary") {
    const primary = addresses[family];
    return isLoopback(primary) ? undefined : [primary];
  }
  const networks = networksOf(family, wanted);
  if (networks.length === 0 || networks.some(({ prefixLength }) => prefixLength === 0)) return undefined;
  const found = addressesOf(family, own).filter(
    (address) => !isLoopback(address) && networks.some((network) => network.contains(address)),
  );
  return [...new Set(found)].sort();
}

/** The addresses of this machine's interfaces. */
export const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
