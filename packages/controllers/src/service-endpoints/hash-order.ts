import type { DeepReadonly } from "@coxswain/api";
import type { EndpointAddress, EndpointSubset, EndpointPort as SubsetPort } from "@coxswain/api/core/v1";
import type { EndpointPort } from "@coxswain/api/discovery/v1";
import { fnv128 } from "./fnv128.js";

/**
 * Upstream (pkg/api/v1/endpoints/util.go, subsetsByHash) sorts ports and subsets by the hash of what Go's debugging printer writes of them. The order means nothing, but
 * objects are compared with those of upstream's controllers, and a change of the order would be a write.
 */
function sortByHash<T>(items: readonly T[], hashOf: (item: T) => string): T[] {
  if (items.length < 2) return [...items];
  return items
    .map((item) => ({ item, hash: hashOf(item) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0))
    .map(({ item }) => item);
}

/** Of an EndpointSlice. */
export const sortPorts = (ports: readonly DeepReadonly<EndpointPort>[]): DeepReadonly<EndpointPort>[] =>
  sortByHash(ports, portHash);

/** Equal for the same ports, once they are sorted. */
export const portsKey = (sorted: readonly DeepReadonly<EndpointPort>[]): string =>
  JSON.stringify(sorted.map(({ name, protocol, port, appProtocol }) => [name, protocol, port, appProtocol]));

/** Of Endpoints. */
export const sortSubsetPorts = (ports: readonly DeepReadonly<SubsetPort>[]): DeepReadonly<SubsetPort>[] =>
  sortByHash(ports, subsetPortHash);

export const sortSubsets = (subsets: readonly DeepReadonly<EndpointSubset>[]): DeepReadonly<EndpointSubset>[] =>
  sortByHash(subsets, subsetHash);

export const portHash = ({ name, protocol, port, appProtocol }: DeepReadonly<EndpointPort>): string =>
  fnv128(
    `(v1.EndpointPort){Name:(*string)${name ?? nil} Protocol:(*v1.Protocol)${protocol ?? nil} Port:(*int32)${port ?? nil} AppProtocol:(*string)${appProtocol ?? nil}}`,
  );

export const subsetPortHash = (port: DeepReadonly<SubsetPort>): string =>
  fnv128(`(v1.EndpointPort)${dumpSubsetPort(port)}`);

export const subsetHash = ({ addresses, notReadyAddresses, ports }: DeepReadonly<EndpointSubset>): string =>
  fnv128(
    `(v1.EndpointSubset){Addresses:([]v1.EndpointAddress)${dumpList(addresses, dumpAddress)} NotReadyAddresses:([]v1.EndpointAddress)${dumpList(notReadyAddresses, dumpAddress)} Ports:([]v1.EndpointPort)${dumpList(ports, dumpSubsetPort)}}`,
  );

const nil = "<nil>";

const dumpList = <T>(items: readonly T[] | undefined, dump: (item: T) => string): string =>
  !items?.length ? nil : `[${items.map(dump).join(" ")}]`;

const dumpSubsetPort = ({ name = "", port, protocol, appProtocol }: DeepReadonly<SubsetPort>): string =>
  `{Name:(string)${name} Port:(int32)${port} Protocol:(v1.Protocol)${protocol ?? ""} AppProtocol:(*string)${appProtocol ?? nil}}`;

function dumpAddress({ ip, hostname = "", nodeName, targetRef }: DeepReadonly<EndpointAddress>): string {
  const text = (member: string | undefined): string => `(string)${member ?? ""}`;
  const reference =
    targetRef &&
    `{Kind:${text(targetRef.kind)} Namespace:${text(targetRef.namespace)} Name:${text(targetRef.name)} UID:(types.UID)${targetRef.uid ?? ""} APIVersion:${text(targetRef.apiVersion)} ResourceVersion:${text(targetRef.resourceVersion)} FieldPath:${text(targetRef.fieldPath)}}`;
  return `{IP:(string)${ip} Hostname:(string)${hostname} NodeName:(*string)${nodeName ?? nil} TargetRef:(*v1.ObjectReference)${reference ?? nil}}`;
}
