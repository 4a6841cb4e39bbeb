import type { DeepReadonly } from "@coxswain/api";
import type { Service } from "@coxswain/api/core/v1";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import type { Family } from "../addresses/family.js";
import { type CategorizedEndpoints, categorizeEndpoints, type NodePlace } from "./categorize-endpoints.js";
import { backendKey, type Frontend, type PortFrontends, type Protocol, type ServiceFrontends } from "./frontend.js";
import { type Endpoint, portKey, readEndpoints } from "./read-endpoints.js";
import { readService, type ServiceFacts } from "./read-service.js";

export interface ThisNode extends NodePlace {
  readonly family: Family;
  /** The node's own address in this family: a load balancer's source ranges that hold it let the node itself in. */
  readonly address: string;
}

type ServicePort = NonNullable<NonNullable<DeepReadonly<Service>["spec"]>["ports"]>[number];

/**
 * Pure: what one service is on this node in one family, from its slices. Undefined if it is not proxied there. Everything that
 * traffic policies, topology, readiness and affinity decide is decided here (pkg/proxy/nftables/proxier.go, `syncProxyRules`).
 */
export function planFrontends(
  service: DeepReadonly<Service>,
  slices: Iterable<DeepReadonly<EndpointSlice>>,
  node: ThisNode,
): ServiceFrontends | undefined {
  const { family } = node;
  const facts = readService(service, family);
  if (facts === undefined) return undefined;
  const { namespace = "", name = "", creationTimestamp = "" } = service.metadata ?? {};
  const key = `${namespace}/${name}`;
  const byPort = readEndpoints(slices, { family, nodeName: node.name });
  const all = [...byPort.values()].flat();
  return {
    service: key,
    family,
    rank: `${creationTimestamp} ${key}`,
    clusterIP: facts.clusterIP,
    ports: (service.spec?.ports ?? []).map((port) =>
      planPort(key, port, {
        facts,
        node,
        endpoints: byPort.get(portKey(port.name ?? "", port.protocol ?? "TCP")) ?? [],
      }),
    ),
    healthCheckNodePort: facts.healthCheckNodePort,
    localReady: new Set(all.filter((one) => one.isLocal && one.isReady).map(({ address }) => address)).size,
  };
}

function planPort(
  service: string,
  port: ServicePort,
  { facts, node, endpoints }: { facts: ServiceFacts; node: ThisNode; endpoints: readonly Endpoint[] },
): PortFrontends {
  const { name = "", protocol = "TCP", nodePort = 0 } = port;
  const { internalLocal, externalLocal, externalIPs, loadBalancerIPs, affinitySeconds } = facts;
  const hasOutside = nodePort !== 0 || externalIPs.length > 0 || loadBalancerIPs.length > 0;
  const found = categorizeEndpoints(
    endpoints,
    { cluster: !internalLocal || hasOutside, local: internalLocal || (externalLocal && hasOutside) },
    node,
  );
  const lacksLocal = found.hasAny && found.local.length === 0;
  return {
    name: name === "" ? service : `${service}:${name}`,
    protocol: protocol.toLowerCase() as Protocol,
    ...(affinitySeconds !== undefined && { affinitySeconds }),
    frontends: [internalFrontend(port, facts, found), ...externalFrontends(port, facts, { found, node })],
    reachable: found.reachable,
    serving: new Set(endpoints.filter(({ isServing }) => isServing).map(backendKey)),
    noLocal: { internal: internalLocal && lacksLocal, external: externalLocal && lacksLocal },
  };
}

function internalFrontend({ port }: ServicePort, facts: ServiceFacts, found: CategorizedEndpoints): Frontend {
  const backends = facts.internalLocal ? found.local : found.cluster;
  return {
    kind: "ClusterIP",
    address: facts.clusterIP,
    port,
    backends,
    masquerade: false,
    ...(backends.length === 0 && { otherwise: found.hasAny ? "drop" : "reject" }),
  };
}

function externalFrontends(
  { port, nodePort = 0 }: ServicePort,
  { externalLocal, externalIPs, loadBalancerIPs, sourceRanges }: ServiceFacts,
  { found, node }: { found: CategorizedEndpoints; node: ThisNode },
): Frontend[] {
  const backends = externalLocal ? found.local : found.cluster;
  const shared = {
    backends,
    masquerade: !externalLocal,
    ...(externalLocal && { insideBackends: found.cluster }),
    ...(backends.length === 0 && { otherwise: found.hasAny ? ("drop" as const) : ("reject" as const) }),
  };
  // The address of a load balancer is often also one of the node's: the node's own connections to it come from there.
  const letsNodeIn = sourceRanges.some((range) => range.contains(node.address));
  const sources = [...sourceRanges.map(({ text }) => text), ...(letsNodeIn ? loadBalancerIPs : [])];
  // One address may be both; the load balancer's form is kept, which has the source ranges.
  const onlyExternal = externalIPs.filter((address) => !loadBalancerIPs.includes(address));
  return [
    ...onlyExternal.map((address): Frontend => ({ kind: "ExternalIP", address, port, ...shared })),
    ...loadBalancerIPs.map(
      (address): Frontend => ({
        kind: "LoadBalancerIP",
        address,
        port,
        ...shared,
        ...(sourceRanges.length > 0 && { sources }),
      }),
    ),
    // Node ports are not subject to source ranges.
    ...(nodePort === 0 ? [] : [{ kind: "NodePort" as const, address: undefined, port: nodePort, ...shared }]),
  ];
}
