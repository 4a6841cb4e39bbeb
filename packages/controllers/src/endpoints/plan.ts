import type { DeepReadonly } from "@coxswain/api";
import type { EndpointAddress, EndpointPort, Endpoints, Service } from "@coxswain/api/core/v1";
import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn, ownEntries, setOwn } from "@coxswain/apimachinery/own";
import { type CachedPod, isPodReady } from "../pods/pod-state.js";
import {
  belongsInEndpoints,
  familyOf,
  hasClusterIp,
  hostnameIn,
  type IpFamily,
  podAddresses,
  podReference,
} from "../service-endpoints/pod-addresses.js";
import { repackSubsets, type Subset } from "../service-endpoints/repack-subsets.js";
import { targetPortOf } from "../service-endpoints/service-port.js";
import { headlessLabel } from "../service-endpoints/slice-labels.js";
import { withTriggerTime } from "../service-endpoints/trigger-times.js";
import { truncateSubsets } from "./truncate.js";

export const managedByLabel = "endpoints.kubernetes.io/managed-by";
export const managerName = "endpoint-controller";
const overCapacityAnnotation = "endpoints.kubernetes.io/over-capacity";
const truncated = "truncated";

export interface EndpointsInputs {
  readonly service: DeepReadonly<Service>;
  /** That the service's selector matches. */
  readonly pods: readonly CachedPod[];
  /** Undefined: there are none yet. */
  readonly current: DeepReadonly<Endpoints> | undefined;
  readonly triggerTime: string | undefined;
}

/** Pure: the Endpoints to write; undefined: they are as they should be. */
export function planEndpoints({ service, pods, current, triggerTime }: EndpointsInputs): Endpoints | undefined {
  const all = planSubsets(service, pods);
  const cut = truncateSubsets(all);
  const subsets = cut ?? all;
  const { annotations } = current?.metadata ?? {};
  const mark = cut ? truncated : undefined;
  if (
    current &&
    (equalSubsets(current.subsets ?? [], subsets) || equalSubsets(repackSubsets(current.subsets ?? []), subsets)) &&
    haveSameLabels(current, service) &&
    getOwn(annotations, overCapacityAnnotation) === mark
  )
    return undefined;
  const { [overCapacityAnnotation]: _, ...others } = withTriggerTime(annotations, triggerTime);
  return {
    ...(current as Endpoints | undefined),
    metadata: {
      name: service.metadata?.name ?? "",
      ...(current?.metadata as Endpoints["metadata"]),
      labels: labelsOf(service),
      annotations: mark === undefined ? others : { ...others, [overCapacityAnnotation]: mark },
    },
    subsets: subsets as Required<Endpoints>["subsets"],
  };
}

/** Pure: the pods' addresses by port, those of pods that are not ready apart. */
export function planSubsets(service: DeepReadonly<Service>, pods: readonly CachedPod[]): Subset[] {
  const { publishNotReadyAddresses = false, ports = [], clusterIP } = service.spec ?? {};
  const subsets: Subset[] = [];
  for (const pod of pods) {
    if (!belongsInEndpoints(pod, { includeTerminating: publishNotReadyAddresses })) continue;
    const address = addressOf(service, pod);
    if (!address) continue;
    const list = publishNotReadyAddresses || isPodReady(pod) ? "addresses" : "notReadyAddresses";
    const offer = (offered: readonly EndpointPort[]): void =>
      void subsets.push({ [list]: [address], ...(offered.length > 0 && { ports: offered }) });
    // Only a headless service may be without ports.
    if (ports.length === 0 && clusterIP === "None") offer([]);
    for (const { name, protocol, appProtocol, ...servicePort } of ports) {
      const port = targetPortOf(pod, { ...servicePort, ...(protocol && { protocol }) });
      if (port === undefined) continue;
      offer([
        {
          ...(name && { name }),
          port,
          ...(protocol && { protocol }),
          ...(appProtocol !== undefined && { appProtocol }),
        },
      ]);
    }
  }
  return repackSubsets(subsets);
}

function addressOf(service: DeepReadonly<Service>, pod: CachedPod): EndpointAddress | undefined {
  const [ip] = podAddresses(pod, familyFor(service, pod));
  if (ip === undefined) return undefined;
  const hostname = hostnameIn(service, pod);
  return {
    ip,
    ...(hostname && { hostname }),
    nodeName: pod.spec?.nodeName ?? "",
    targetRef: podReference(pod),
  };
}

/** Endpoints have one family: the service's first; that of the cluster IP or the pod where an old server set none. */
function familyFor(service: DeepReadonly<Service>, { status }: CachedPod): IpFamily {
  const [family] = service.spec?.ipFamilies ?? [];
  if (family) return family === "IPv6" ? "IPv6" : "IPv4";
  return familyOf(hasClusterIp(service) ? service.spec?.clusterIP : status?.podIP) ?? "IPv4";
}

function labelsOf(service: DeepReadonly<Service>): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const [key, value] of ownEntries(service.metadata?.labels))
    if (key !== headlessLabel) setOwn(labels, key, value);
  if (!hasClusterIp(service)) setOwn(labels, headlessLabel, "");
  setOwn(labels, managedByLabel, managerName);
  return labels;
}

/** A change of the label for headless services alone is left until the next write. */
function haveSameLabels(endpoints: DeepReadonly<Endpoints>, service: DeepReadonly<Service>): boolean {
  const { [headlessLabel]: _, ...before } = endpoints.metadata?.labels ?? {};
  const { [headlessLabel]: __, ...wanted } = labelsOf(service);
  return equalJson(before, wanted);
}

/** Another resourceVersion of a pod is no difference. */
function equalSubsets(a: readonly Subset[], b: readonly Subset[]): boolean {
  const strip = (addresses: Subset["addresses"]): unknown =>
    (addresses ?? []).map(({ targetRef, ...address }) => {
      const { resourceVersion: _, ...reference } = targetRef ?? {};
      return { ...address, targetRef: reference };
    });
  const visible = (subsets: readonly Subset[]): unknown =>
    subsets.map(({ addresses, notReadyAddresses, ports }) => [strip(addresses), strip(notReadyAddresses), ports ?? []]);
  return equalJson(visible(a), visible(b));
}
