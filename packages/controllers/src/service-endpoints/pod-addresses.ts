import type { DeepReadonly } from "@coxswain/api";
import type { ObjectReference, Service } from "@coxswain/api/core/v1";
import { formatIp, parseIp } from "@coxswain/apimachinery/validation";
import { type CachedPod, isBeingDeleted, isPodTerminal } from "../pods/pod-state.js";

export type IpFamily = "IPv4" | "IPv6";

/** As Go sees it: IPv4 in IPv6 is IPv4. Undefined: no address. */
export function familyOf(ip: string | undefined): IpFamily | undefined {
  const address = ip === undefined ? undefined : parseIp(ip);
  return address && (address.isV4 || address.isV4InV6 ? "IPv4" : "IPv6");
}

/** Pure: the pod's addresses of one family, in their canonical form. */
export const podAddresses = ({ status }: CachedPod, family: IpFamily): string[] =>
  (status?.podIPs ?? []).flatMap(({ ip }) => {
    const address = parseIp(ip);
    // Upstream counts what is no address as IPv4 and would publish its empty text.
    return address && familyOf(ip) === family ? [formatIp(address)] : [];
  });

/** Pure: whether the pod may receive connections: it has an address, has not stopped for good, and is not on its way out. */
export const belongsInEndpoints = (pod: CachedPod, { includeTerminating }: { includeTerminating: boolean }): boolean =>
  !isPodTerminal(pod) &&
  Boolean(pod.status?.podIP || pod.status?.podIPs?.length) &&
  (includeTerminating || !isBeingDeleted(pod));

/** Pure: the name under which DNS finds the pod within the service, if it has one. */
export const hostnameIn = (service: DeepReadonly<Service>, { metadata, spec }: CachedPod): string | undefined =>
  spec?.hostname && spec.subdomain === service.metadata?.name && metadata?.namespace === service.metadata?.namespace
    ? spec.hostname
    : undefined;

export const podReference = ({ metadata }: CachedPod): ObjectReference => ({
  kind: "Pod",
  namespace: metadata?.namespace ?? "",
  name: metadata?.name ?? "",
  uid: metadata?.uid ?? "",
});

/** It has a cluster IP: it is not headless. */
export const hasClusterIp = ({ spec }: DeepReadonly<Service>): boolean =>
  Boolean(spec?.clusterIP) && spec?.clusterIP !== "None";
