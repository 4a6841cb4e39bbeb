import { quoteGo } from "@coxswain/apimachinery/field";
import { getOwn, ownEntries } from "@coxswain/apimachinery/own";
import { quantityMilliValue, quantityValue } from "@coxswain/apimachinery/quantity";
import {
  type CachedContainer,
  type CachedPod,
  findContainer,
  nameOf,
  namespaceOf,
  uidOf,
} from "../objects/cached-pod.js";
import { ConfigError } from "./pod-sources.js";

export interface DownwardFacts {
  readonly hostIPs: readonly string[];
  readonly podIPs: readonly string[];
  /** What a node has for pods: the limit of a container without one. */
  readonly allocatable: Readonly<Record<string, string>> | undefined;
}

/** Pure: a field of the pod, as text. @throws ConfigError */
export function fieldValue(pod: CachedPod, path: string, { hostIPs, podIPs }: DownwardFacts): string {
  const subscript = /^(metadata\.(?:labels|annotations))\['(.*)'\]$/.exec(path);
  if (subscript) {
    const map = subscript[1] === "metadata.labels" ? pod.metadata?.labels : pod.metadata?.annotations;
    return getOwn(map, subscript[2] ?? "") ?? "";
  }
  switch (path) {
    case "metadata.name":
      return nameOf(pod);
    case "metadata.namespace":
      return namespaceOf(pod);
    case "metadata.uid":
      return uidOf(pod);
    case "metadata.labels":
      return formatMap(pod.metadata?.labels);
    case "metadata.annotations":
      return formatMap(pod.metadata?.annotations);
    case "spec.nodeName":
      return pod.spec?.nodeName ?? "";
    case "spec.serviceAccountName":
      return pod.spec?.serviceAccountName ?? "";
    case "status.hostIP":
      return hostIPs[0] ?? "";
    case "status.hostIPs":
      return hostIPs.join(",");
    case "status.podIP":
      return podIPs[0] ?? "";
    case "status.podIPs":
      return podIPs.join(",");
    default:
      throw new ConfigError(`unsupported fieldPath: ${path}`);
  }
}

const formatMap = (map: Readonly<Record<string, string>> | undefined): string =>
  ownEntries(map)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${quoteGo(value)}`)
    .join("\n");

export interface ResourceField {
  readonly containerName?: string;
  readonly resource: string;
  readonly divisor?: string;
}

/** Pure: requests and limits of a container, in units of the divisor, rounded up. @throws ConfigError */
export function resourceValue(
  pod: CachedPod,
  field: ResourceField,
  own: CachedContainer | undefined,
  facts: DownwardFacts,
): string {
  const container = field.containerName ? findContainer(pod, field.containerName) : own;
  if (!container) throw new ConfigError(`container ${field.containerName} not found`);
  const dot = field.resource.indexOf(".");
  const [part, resource] = [field.resource.slice(0, dot), field.resource.slice(dot + 1)];
  const { requests, limits } = container.resources ?? {};
  const limit = getOwn(limits, resource) ?? getOwn(facts.allocatable, resource);
  const quantity = part === "limits" ? limit : getOwn(requests, resource);
  const read = resource === "cpu" ? quantityMilliValue : quantityValue;
  const divisor = field.divisor && field.divisor !== "0" ? read(field.divisor) : resource === "cpu" ? 1000 : 1;
  return String(Math.ceil(read(quantity ?? "0") / divisor));
}
