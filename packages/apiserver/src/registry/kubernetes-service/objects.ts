import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { addressObject } from "../services/address-object.js";
import { formatAddress, parseAddress, parseRange } from "../services/ip-range.js";

/** Where clients inside the cluster reach the server. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

const name = "kubernetes";
const namespace = "default";

/** The Service `kubernetes` with the first address of the first range, and that address. */
export function kubernetesService(ranges: readonly string[], targetPort: number): KubernetesObject[] {
  const range = parseRange(ranges[0] ?? "");
  if (!range) return [];
  const ip = formatAddress({ family: range.family, value: range.first });
  const service = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace, labels: { component: "apiserver", provider: "kubernetes" } },
    spec: {
      type: "ClusterIP",
      clusterIP: ip,
      clusterIPs: [ip],
      ipFamilies: [range.family],
      ipFamilyPolicy: "SingleStack",
      ports: [{ name: "https", protocol: "TCP", port: 443, targetPort }],
      sessionAffinity: "None",
      internalTrafficPolicy: "Cluster",
    },
  };
  return [addressObject(service, ip), service] as KubernetesObject[];
}

/** What stands behind the Service. No controller keeps these: the server does. */
export function kubernetesEndpoints({ address, port }: Endpoint): KubernetesObject[] {
  const endpoints = {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: { name, namespace, labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } },
    subsets: [{ addresses: [{ ip: address }], ports: [{ name: "https", port, protocol: "TCP" }] }],
  };
  const slice = {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name, namespace, labels: { "kubernetes.io/service-name": name } },
    addressType: parseAddress(address)?.family ?? "IPv4",
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports: [{ name: "https", port, protocol: "TCP" }],
  };
  return [endpoints, slice] as KubernetesObject[];
}
