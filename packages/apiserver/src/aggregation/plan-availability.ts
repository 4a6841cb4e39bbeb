import type { DeepReadonly } from "@coxswain/api";
import type { Service } from "@coxswain/api/core/v1";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import type { ServiceReference } from "../webhook/service-resolver.js";
import type { ApiService } from "./api-service.js";

/** Whether an APIService can be reached, and why not. */
export interface Availability {
  readonly status: "True" | "False";
  readonly reason:
    | "Local"
    | "ServiceNotFound"
    | "ServicePortError"
    | "EndpointsNotFound"
    | "MissingEndpoints"
    | "FailedDiscoveryCheck"
    | "Passed";
  readonly message: string;
}

export const localAvailability: Availability = {
  status: "True",
  reason: "Local",
  message: "Local APIServices are always available",
};

/** The server that the APIService names does not answer, and this process does in its place. */
export const ownAvailability = ({ message }: Availability): Availability => ({
  status: "True",
  reason: "Local",
  message: `served by this API server itself, because the service does not: ${message}`,
});

export const passed: Availability = { status: "True", reason: "Passed", message: "all checks passed" };

export const failedDiscovery = (message: string): Availability => ({
  status: "False",
  reason: "FailedDiscoveryCheck",
  message,
});

/** What is known of the service that an APIService names. */
export interface KnownService {
  readonly service: DeepReadonly<Service> | undefined;
  readonly slices: readonly DeepReadonly<EndpointSlice>[];
}

/** Pure: why the service cannot answer. Undefined: nothing is known to be wrong, and it has to be probed. */
export function planAvailability(
  { namespace, name, port }: ServiceReference,
  { service, slices }: KnownService,
): Availability | undefined {
  const shown = `service/${name} in ${JSON.stringify(namespace)}`;
  if (!service) return unavailable("ServiceNotFound", `${shown} is not present`);
  // Others may be routed by somebody else: only behind a cluster IP is it known which endpoints there are.
  if (service.spec?.type !== "ClusterIP") return undefined;
  const found = service.spec.ports?.find((each) => each.port === port);
  if (!found) return unavailable("ServicePortError", `${shown} is not listening on port ${port}`);
  if (slices.length === 0) return unavailable("EndpointsNotFound", `cannot find endpointslices for ${shown}`);
  const portName = found.name ?? "";
  if (!slices.some((slice) => hasEndpoint(slice, portName)))
    return unavailable(
      "MissingEndpoints",
      `endpointslices for ${shown} have no addresses with port name ${JSON.stringify(portName)}`,
    );
  return undefined;
}

const unavailable = (reason: Availability["reason"], message: string): Availability => ({
  status: "False",
  reason,
  message,
});

const hasEndpoint = ({ endpoints, ports }: DeepReadonly<EndpointSlice>, portName: string): boolean =>
  (endpoints ?? []).some(({ conditions }) => conditions?.ready ?? true) &&
  (ports ?? []).some(({ name, port }) => name === portName && port !== undefined);

/** Pure: the status with the condition. The same one where nothing changed; the time moves only with the truth. */
export function withAvailability(
  status: ApiService["status"],
  { status: truth, reason, message }: Availability,
  now: number,
): ApiService["status"] {
  const conditions = status?.conditions ?? [];
  const current = conditions.find(({ type }) => type === "Available");
  if (current?.status === truth && current.reason === reason && current.message === message) return status;
  const lastTransitionTime =
    current?.status === truth && current.lastTransitionTime !== undefined
      ? current.lastTransitionTime
      : formatTime(now);
  const next = { type: "Available", status: truth, lastTransitionTime, reason, message };
  return {
    ...status,
    conditions: current ? conditions.map((each) => (each === current ? next : each)) : [...conditions, next],
  };
}
