import { isExternal } from "./exposure.js";
import type { StoredService } from "./stored.js";

const threeHours = 10_800;

export function setServiceDefaults(service: StoredService): void {
  const { spec, status } = service;
  spec.sessionAffinity ||= "None";
  if (spec.sessionAffinity === "None") delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === "ClientIP" && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: threeHours } };
  }
  spec.type ||= "ClusterIP";
  for (const port of spec.ports ?? []) {
    port.protocol ||= "TCP";
    port.targetPort ||= port.port;
  }
  if (isExternal(service)) spec.externalTrafficPolicy ||= "Cluster";
  if (spec.type === "NodePort" || spec.type === "LoadBalancer" || spec.type === "ClusterIP")
    spec.internalTrafficPolicy ??= "Cluster";
  if (spec.type !== "LoadBalancer") return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of status.loadBalancer?.ingress ?? []) if (ingress.ip) ingress.ipMode ??= "VIP";
}
