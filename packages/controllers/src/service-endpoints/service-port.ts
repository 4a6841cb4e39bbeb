import type { DeepReadonly } from "@coxswain/api";
import type { Container, ServicePort } from "@coxswain/api/core/v1";
import type { CachedPod } from "../pods/pod-state.js";

/**
 * Pure: the pod's port behind a port of the service: a number as it is, a name as one of the pod's containers or sidecars
 * defines it for the same protocol. Undefined: the pod has no such port.
 */
export function targetPortOf({ spec }: CachedPod, port: DeepReadonly<ServicePort>): number | undefined {
  const { targetPort = port.port, protocol } = port;
  if (typeof targetPort === "number") return targetPort;
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  const containers: readonly DeepReadonly<Container>[] = [...(spec?.containers ?? []), ...sidecars];
  for (const { ports } of containers)
    for (const each of ports ?? [])
      if (each.name === targetPort && each.protocol === protocol) return each.containerPort;
  return undefined;
}
