import type { DeepReadonly } from "@coxswain/api";
import type { Node, Service } from "@coxswain/api/core/v1";
import type { Endpoint, EndpointPort } from "@coxswain/api/discovery/v1";
import { getOwn } from "@coxswain/apimachinery/own";
import { type CachedPod, isBeingDeleted, isPodReady } from "../pods/pod-state.js";
import { hostnameIn, type IpFamily, podAddresses, podReference } from "../service-endpoints/pod-addresses.js";
import { targetPortOf } from "../service-endpoints/service-port.js";

export const zoneLabel = "topology.kubernetes.io/zone";

/** Pure: the pod as an endpoint of the service; undefined where it has no address of the family. */
export function podEndpoint(
  service: DeepReadonly<Service>,
  pod: CachedPod,
  { family, node }: { readonly family: IpFamily; readonly node: DeepReadonly<Node> | undefined },
): Endpoint | undefined {
  const addresses = podAddresses(pod, family);
  if (addresses.length === 0) return undefined;
  const serving = isPodReady(pod);
  const terminating = isBeingDeleted(pod);
  const zone = getOwn(node?.metadata?.labels, zoneLabel);
  const hostname = hostnameIn(service, pod);
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating);
  return {
    addresses,
    conditions: { ready, serving, terminating },
    ...(hostname && { hostname }),
    targetRef: podReference(pod),
    ...(pod.spec?.nodeName && { nodeName: pod.spec.nodeName }),
    ...(zone && { zone }),
  };
}

/** Pure: the service's ports as this pod has them; a port that the pod does not have is left out. */
export const podPorts = ({ spec }: DeepReadonly<Service>, pod: CachedPod): EndpointPort[] =>
  (spec?.ports ?? []).flatMap((servicePort) => {
    const port = targetPortOf(pod, servicePort);
    if (port === undefined) return [];
    const { name = "", protocol, appProtocol } = servicePort;
    return [{ name, ...(protocol && { protocol }), port, ...(appProtocol !== undefined && { appProtocol }) }];
  });
