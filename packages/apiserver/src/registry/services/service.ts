import type { Service, ServiceSpec } from "@coxswain/api/core/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { ownKeys } from "@coxswain/apimachinery/own";

export type StoredService = KubernetesObject & Service & { spec: ServiceSpec };
export type IpFamily = "IPv4" | "IPv6";

/** A service that clients find by the addresses of its endpoints alone. */
export const isHeadless = ({ clusterIP }: ServiceSpec): boolean => clusterIP === "None";
export const isExternalName = ({ type }: ServiceSpec): boolean => type === "ExternalName";
/** Headless, and nobody but its owner knows what stands behind it. */
export const isHeadlessWithoutSelector = (spec: ServiceSpec): boolean =>
  isHeadless(spec) && ownKeys(spec.selector).length === 0;

/** Whether it may have node ports of its own. */
export const hasNodePorts = ({ type }: ServiceSpec): boolean => type === "NodePort" || type === "LoadBalancer";
/** Whether ports that name no node port get one. */
export const wantsNodePorts = ({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean =>
  type === "NodePort" || (type === "LoadBalancer" && allocateLoadBalancerNodePorts !== false);
/** Load balancers that must not send traffic to nodes without endpoints ask there. */
export const needsHealthCheck = ({ type, externalTrafficPolicy }: ServiceSpec): boolean =>
  type === "LoadBalancer" && externalTrafficPolicy === "Local";

export const nodePortsOf = ({ ports = [] }: ServiceSpec): number[] =>
  ports.flatMap(({ nodePort }) => (nodePort ? [nodePort] : []));
