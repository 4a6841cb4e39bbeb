import type { DeepReadonly } from "@coxswain/api";
import type { Service } from "@coxswain/api/core/v1";
import type { AddressType, EndpointPort } from "@coxswain/api/discovery/v1";
import { equalJson } from "@coxswain/apimachinery/json";
import { ownEntries, setOwn } from "@coxswain/apimachinery/own";
import { nameIsDnsSubdomain } from "@coxswain/apimachinery/validation";
import { hasClusterIp } from "../service-endpoints/pod-addresses.js";
import { headlessLabel, managedByLabel, serviceNameLabel } from "../service-endpoints/slice-labels.js";
import type { Slice } from "../service-endpoints/slice-plan.js";

/** The value of the label by which the controller knows its slices. */
export const managerName = "endpointslice-controller.k8s.io";

const reserved: ReadonlySet<string> = new Set([serviceNameLabel, managedByLabel, headlessLabel]);

/** Pure: the labels that the service's slices have: its own, and three of the controller's. */
export function sliceLabels(service: DeepReadonly<Service>): Record<string, string> {
  const labels = unreserved(service.metadata?.labels);
  if (!hasClusterIp(service)) setOwn(labels, headlessLabel, "");
  setOwn(labels, serviceNameLabel, service.metadata?.name ?? "");
  setOwn(labels, managedByLabel, managerName);
  return labels;
}

/** Pure: whether the slice has other labels than the service; a change of the reserved ones alone is left until the next write. */
export const haveLabelsChanged = (slice: Slice, service: DeepReadonly<Service>): boolean =>
  !equalJson(unreserved(slice.metadata?.labels), unreserved(service.metadata?.labels));

function unreserved(labels: Readonly<Record<string, string>> | undefined): Record<string, string> {
  const own: Record<string, string> = {};
  for (const [key, value] of ownEntries(labels)) if (!reserved.has(key)) setOwn(own, key, value);
  return own;
}

export interface NewSlice {
  readonly ports: readonly DeepReadonly<EndpointPort>[];
  readonly addressType: AddressType;
  readonly endpoints: Slice["endpoints"];
}

/** Pure: a slice of the service that does not exist yet. */
export function newSlice(service: DeepReadonly<Service>, { ports, addressType, endpoints }: NewSlice): Slice {
  const { name = "", namespace = "", uid = "" } = service.metadata ?? {};
  return {
    metadata: {
      generateName: slicePrefix(name),
      namespace,
      labels: sliceLabels(service),
      ownerReferences: [{ apiVersion: "v1", kind: "Service", name, uid, controller: true, blockOwnerDeletion: true }],
    },
    addressType,
    endpoints: endpoints ?? [],
    ports,
  };
}

/** The generated names' prefix: with a dash unless that makes it too long. */
export const slicePrefix = (name: string): string =>
  nameIsDnsSubdomain(`${name}-`, true).length === 0 ? `${name}-` : name;

/** Whether the slice belongs to this very service, not to a namesake of old. */
export const isOwnedBy = (slice: Slice, { metadata }: DeepReadonly<Service>): boolean =>
  (slice.metadata?.ownerReferences ?? []).some(
    ({ uid, kind, apiVersion }) => uid === metadata?.uid && kind === "Service" && apiVersion === "v1",
  );
