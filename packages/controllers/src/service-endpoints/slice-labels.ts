import type { DeepReadonly } from "@coxswain/api";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import { getOwn } from "@coxswain/apimachinery/own";
import type { Indexers } from "@coxswain/client/informers";

export const serviceNameLabel = "kubernetes.io/service-name";
export const managedByLabel = "endpointslice.kubernetes.io/managed-by";
export const headlessLabel = "service.kubernetes.io/headless";

/** The service that the slice belongs to, as "namespace/name"; undefined: it names none. */
export function serviceKeyOf({ metadata }: DeepReadonly<EndpointSlice>): string | undefined {
  const service = getOwn(metadata?.labels, serviceNameLabel);
  return service ? `${metadata?.namespace}/${service}` : undefined;
}

export const isManagedBy = (slice: DeepReadonly<EndpointSlice>, manager: string): boolean =>
  getOwn(slice.metadata?.labels, managedByLabel) === manager;

export const serviceIndex = "service";

/** Slices by the service that they belong to. */
export const slicesByService: Indexers<DeepReadonly<EndpointSlice>> = {
  [serviceIndex](slice) {
    const key = serviceKeyOf(slice);
    return key === undefined ? [] : [key];
  },
};
