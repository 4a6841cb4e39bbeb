import { isRestartable } from "@coxswain/api/pods";
import { getOwn, ownEntries } from "@coxswain/apimachinery/own";
import { quantityValue } from "@coxswain/apimachinery/quantity";
import { parseTimeMs } from "@coxswain/apimachinery/time";
import type { DeviceClass, ObjectStore, ResourceClaim } from "../framework/cluster-objects.js";
import type { Container, Pod } from "../pod/objects.js";
import { isExtendedResourceName } from "../pod/resource.js";

type ApiRequest = NonNullable<NonNullable<ResourceClaim["spec"]["devices"]>["requests"]>[number];

/** Which request of a claim stands for an extended resource of a container. */
export interface RequestMapping {
  readonly containerName: string;
  readonly resourceName: string;
  readonly requestName: string;
}

const prefix = "deviceclass.resource.kubernetes.io/";

/** Whether a device class may stand for the resource. */
export const mayBeDynamic = (resource: string): boolean =>
  isExtendedResourceName(resource) || resource.startsWith(prefix);

/** The device class that stands for an extended resource: by its own name, or the newest of those that name the resource. */
export type DeviceClassResolver = (resource: string) => DeviceClass | undefined;

export function createDeviceClassResolver(classes: ObjectStore<DeviceClass>): DeviceClassResolver {
  return (resource) => {
    if (resource.startsWith(prefix)) return classes.get(resource.slice(prefix.length));
    let found: DeviceClass | undefined;
    for (const one of classes.list())
      if (one.spec.extendedResourceName === resource && (found === undefined || isPreferred(one, found))) found = one;
    return found;
  };
}

function isPreferred(a: DeviceClass, b: DeviceClass): boolean {
  const created = ({ metadata }: DeviceClass): number => parseTimeMs(metadata?.creationTimestamp ?? "") ?? 0;
  return created(a) > created(b) || (created(a) === created(b) && (a.metadata?.name ?? "") < (b.metadata?.name ?? ""));
}

export interface ExtendedRequests {
  readonly requests: readonly ApiRequest[];
  readonly mappings: readonly RequestMapping[];
}

/**
 * Requests for devices in place of extended resources. Init containers that end before the others run use the devices of
 * those, and one request more where they need more.
 */
export function requestsForResources(
  pod: Pod,
  resources: readonly string[],
  classNameOf: (resource: string) => string | undefined,
): ExtendedRequests {
  const requests: ApiRequest[] = [];
  const mappings: RequestMapping[] = [];
  const init = pod.spec?.initContainers ?? [];
  const containers = [...init, ...(pod.spec?.containers ?? [])];
  const isShort = (container: Container, at: number): boolean => at < init.length && !isRestartable(container);
  for (const resource of [...resources].sort()) {
    const className = classNameOf(resource);
    if (className === undefined) continue;
    const lasting = containers.map((container, at) =>
      isShort(container, at) ? undefined : requestFor(container, { at, resource, className, reusable: [] }),
    );
    for (const one of lasting) for (const mapping of one?.mappings ?? []) mappings.push(mapping);
    let largest: ApiRequest | undefined;
    const short: RequestMapping[] = [];
    const names = new Set<string>();
    for (const [at, container] of containers.entries()) {
      if (!isShort(container, at)) continue;
      const reusable = lasting.slice(at).flatMap((one) => one?.request ?? []);
      const one = requestFor(container, { at, resource, className, reusable });
      if (one?.request) {
        names.add(one.request.name);
        if (largest === undefined || countOf(one.request) > countOf(largest)) largest = one.request;
      }
      for (const mapping of one?.mappings ?? []) short.push(mapping);
    }
    if (largest) requests.push(largest);
    for (const one of lasting) if (one?.request) requests.push(one.request);
    for (const mapping of short)
      mappings.push(largest && names.has(mapping.requestName) ? { ...mapping, requestName: largest.name } : mapping);
  }
  return { requests: requests.sort((a, b) => (a.name < b.name ? -1 : 1)), mappings };
}

const countOf = ({ exactly }: ApiRequest): number => exactly?.count ?? 0;

interface RequestInput {
  readonly at: number;
  readonly resource: string;
  readonly className: string;
  /** Requests whose devices the container may use. */
  readonly reusable: readonly ApiRequest[];
}

function requestFor(
  { name, resources }: Container,
  { at, resource, className, reusable }: RequestInput,
): { readonly request?: ApiRequest; readonly mappings: readonly RequestMapping[] } | undefined {
  const text = getOwn(resources?.requests, resource);
  const wanted = text === undefined ? 0 : quantityValue(text);
  if (wanted === 0) return undefined;
  const mapping = (requestName: string): RequestMapping => ({
    containerName: name,
    resourceName: resource,
    requestName,
  });
  const mappings: RequestMapping[] = [];
  let sum = 0;
  for (const request of reusable) {
    sum += countOf(request);
    mappings.push(mapping(request.name));
    if (sum >= wanted) return { mappings };
  }
  const names = ownEntries(resources?.requests)
    .map(([key]) => key)
    .sort();
  const requestName = `container-${at}-request-${names.indexOf(resource)}`;
  const request: ApiRequest = {
    name: requestName,
    exactly: { deviceClassName: className, allocationMode: "ExactCount", count: wanted - sum },
  };
  return { request, mappings: [...mappings, mapping(requestName)] };
}
