import type { Service } from "@coxswain/api/core/v1";
import type { Endpoint, EndpointPort, EndpointSlice } from "@coxswain/api/discovery/v1";
import type { Frontend } from "./frontend.js";
import type { ThisNode } from "./plan-frontends.js";

export const testNode: ThisNode = { name: "here", zone: "a", family: "IPv4", address: "192.168.0.2" };

/** A service with one port 80 under 10.96.0.1; `spec` changes it. */
export const service = (spec: Service["spec"] = {}, more: Partial<Service> & { name?: string } = {}): Service => ({
  metadata: { namespace: "ns", name: more.name ?? "svc", creationTimestamp: "2026-01-01T00:00:00Z" },
  spec: {
    type: "ClusterIP",
    clusterIP: "10.96.0.1",
    clusterIPs: ["10.96.0.1"],
    ipFamilies: ["IPv4"],
    ports: [{ name: "http", protocol: "TCP", port: 80 }],
    ...spec,
  },
  ...(more.status !== undefined && { status: more.status }),
});

export const loadBalancerAt = (...ips: string[]): Pick<Service, "status"> => ({
  status: { loadBalancer: { ingress: ips.map((ip) => ({ ip })) } },
});

/** "10.0.0.1 local terminating": an endpoint, ready unless `unready` or `terminating`. */
export function endpointOf(text: string): Endpoint {
  const [address = "", ...words] = text.split(" ");
  const is = (word: string): boolean => words.includes(word);
  return {
    addresses: [address],
    nodeName: is("local") ? "here" : "there",
    conditions: {
      ready: !is("unready") && !is("terminating"),
      serving: !is("unready"),
      terminating: is("terminating"),
    },
  };
}

export const slice = (
  endpoints: readonly string[],
  {
    name = "svc-1",
    ports = [{ name: "http", port: 8080, protocol: "TCP" as const }],
    service: owner = "svc",
  }: { name?: string; ports?: EndpointPort[]; service?: string } = {},
): EndpointSlice => ({
  metadata: { namespace: "ns", name, labels: { "kubernetes.io/service-name": owner } },
  addressType: endpoints.some((text) => text.includes(":")) ? "IPv6" : "IPv4",
  endpoints: endpoints.map(endpointOf),
  ports,
});

/** "NodePort *:30080 masquerade -> 10.0.0.1:8080": one line for a frontend. */
export function line(frontend: Frontend): string {
  const { kind, address = "*", port, backends, insideBackends, masquerade, otherwise, sources } = frontend;
  const list = (all: Frontend["backends"]): string => all.map((one) => `${one.address}:${one.port}`).join(" ");
  return [
    kind,
    `${address}:${port}`,
    ...(masquerade ? ["masquerade"] : []),
    ...(sources === undefined ? [] : [`from ${sources.join(",")}`]),
    ...(insideBackends === undefined ? [] : [`inside -> ${list(insideBackends)}`]),
    backends.length > 0 ? `-> ${list(backends)}` : "",
    ...(otherwise === undefined ? [] : [otherwise]),
  ]
    .filter((part) => part !== "")
    .join(" ");
}
