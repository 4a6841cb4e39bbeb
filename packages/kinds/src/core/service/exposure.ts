import type { DeepReadonly } from "@coxswain/api";
import type { StoredService } from "./stored.js";

type ReadService = DeepReadonly<StoredService>;

export const isHeadless = ({ spec }: ReadService): boolean =>
  spec.clusterIPs?.length === 1 && spec.clusterIPs[0] === "None";

/** Whether clients outside the cluster may reach it. */
export const isExternal = ({ spec }: ReadService): boolean =>
  spec.type === "LoadBalancer" ||
  spec.type === "NodePort" ||
  (spec.type === "ClusterIP" && (spec.externalIPs?.length ?? 0) > 0);

/** A load balancer that sends traffic only to nodes with a pod must know which these are. */
export const needsHealthCheck = ({ spec }: ReadService): boolean =>
  spec.type === "LoadBalancer" && spec.externalTrafficPolicy === "Local";

export const needsClusterIp = ({ spec }: ReadService): boolean => spec.type !== "ExternalName";

export const needsNodePort = ({ spec }: ReadService): boolean =>
  spec.type === "NodePort" || spec.type === "LoadBalancer";
