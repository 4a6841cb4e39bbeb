import type { DeepReadonly } from "@coxswain/api";
import { equalJson } from "@coxswain/apimachinery/json";
import { isExternal, needsClusterIp, needsHealthCheck, needsNodePort } from "./exposure.js";
import type { StoredService } from "./stored.js";

/**
 * A client that changes only the type leaves behind what the server had filled in for the old one. What is unchanged and has no
 * meaning any more goes; what the client changed stays, and validation may refuse it.
 */
export function dropOfOldType(service: StoredService, old: DeepReadonly<StoredService>): void {
  const { spec } = service;
  const before = old.spec;
  const isSame = (...members: readonly (keyof StoredService["spec"])[]): boolean =>
    members.every((member) => equalJson(spec[member], before[member]));
  if (needsClusterIp(old) && !needsClusterIp(service)) {
    if (isSame("clusterIP", "clusterIPs")) {
      delete spec.clusterIP;
      delete spec.clusterIPs;
    }
    if (isSame("ipFamilies")) delete spec.ipFamilies;
    if (isSame("ipFamilyPolicy")) delete spec.ipFamilyPolicy;
  }
  if (needsNodePort(old) && !needsNodePort(service) && hasNoNewNodePorts(service, old))
    for (const port of spec.ports ?? []) delete port.nodePort;
  if (needsHealthCheck(old) && !needsHealthCheck(service) && isSame("healthCheckNodePort"))
    delete spec.healthCheckNodePort;
  if (before.type === "LoadBalancer" && spec.type !== "LoadBalancer") {
    if (isSame("allocateLoadBalancerNodePorts")) delete spec.allocateLoadBalancerNodePorts;
    if (isSame("loadBalancerClass")) delete spec.loadBalancerClass;
  }
  if (isExternal(old) && !isExternal(service) && isSame("externalTrafficPolicy")) delete spec.externalTrafficPolicy;
  if (spec.type !== "LoadBalancer") service.status.loadBalancer = {};
}

function hasNoNewNodePorts({ spec }: StoredService, old: DeepReadonly<StoredService>): boolean {
  const known = new Set((old.spec.ports ?? []).map(({ nodePort = 0 }) => nodePort));
  return (spec.ports ?? []).every(({ nodePort = 0 }) => nodePort === 0 || known.has(nodePort));
}
