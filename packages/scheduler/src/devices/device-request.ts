import type { DeviceClass, ResourceClaim, ResourceSlice } from "../framework/cluster-objects.js";

export type Device = NonNullable<ResourceSlice["spec"]["devices"]>[number];
type ApiRequest = NonNullable<NonNullable<ResourceClaim["spec"]["devices"]>["requests"]>[number];
type ExactRequest = NonNullable<ApiRequest["exactly"]>;
type SubRequest = NonNullable<ApiRequest["firstAvailable"]>[number];

/** A request for devices, or one of the alternatives of a request. */
export interface DeviceRequest {
  readonly name: string;
  /** The request that this is an alternative of. */
  readonly parent: string | undefined;
  readonly className: string;
  readonly all: boolean;
  readonly count: number;
  readonly adminAccess: boolean;
  readonly selectors: NonNullable<ExactRequest["selectors"]>;
  readonly tolerations: NonNullable<ExactRequest["tolerations"]> | undefined;
  readonly capacity: Readonly<Record<string, string>> | undefined;
}

export const requestsOf = (claim: ResourceClaim): readonly ApiRequest[] => claim.spec.devices?.requests ?? [];

/** What a request asks for: itself, or its alternatives, the preferred ones first. */
export function alternativesOf(request: ApiRequest): readonly DeviceRequest[] {
  const { exactly, firstAvailable, name } = request;
  if (firstAvailable && firstAvailable.length > 0)
    return firstAvailable.map((alternative) => read(alternative, alternative.name, name, false));
  return exactly ? [read(exactly, name, undefined, exactly.adminAccess === true)] : [];
}

function read(
  from: ExactRequest | SubRequest,
  name: string,
  parent: string | undefined,
  adminAccess: boolean,
): DeviceRequest {
  return {
    name,
    parent,
    className: from.deviceClassName,
    all: from.allocationMode === "All",
    count: from.count ?? 1,
    adminAccess,
    selectors: from.selectors ?? [],
    tolerations: from.tolerations,
    capacity: from.capacity?.requests,
  };
}

/** "request", or "request/alternative". */
export const fullName = ({ name, parent }: DeviceRequest): string =>
  parent === undefined ? name : `${parent}/${name}`;

/** Whether a list of names of requests means this one. An empty list means all. */
export const isNamed = (names: ReadonlySet<string>, request: DeviceRequest): boolean =>
  names.size === 0 || names.has(request.parent ?? request.name) || names.has(fullName(request));

export type ClassOf = (name: string) => DeviceClass | undefined;

/** Taints that keep devices from being allocated to those who do not tolerate them. */
export const isTaintedFor = (device: Device, { tolerations = [] }: DeviceRequest): boolean =>
  device.taints?.some(
    (taint) =>
      (taint.effect === "NoSchedule" || taint.effect === "NoExecute") &&
      !tolerations.some(({ effect, key, operator, value }) => {
        if (effect && effect !== taint.effect) return false;
        if (key && key !== taint.key) return false;
        return operator === "Exists" || (value ?? "") === (taint.value ?? "");
      }),
  ) ?? false;
