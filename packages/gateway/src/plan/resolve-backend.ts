import type { BackendTarget } from "../engine/backend.js";
import { noChanges, type RoutedBackend } from "../engine/routed-rule.js";
import type { BackendReference, HttpRouteFilter } from "../objects/gateway-objects.js";
import { planChanges, unsupportedFilter } from "./plan-changes.js";
import { isGranted } from "./reference-grants.js";
import type { World } from "./world.js";

/** Why a reference cannot be followed: a reason of the condition ResolvedRefs, and a sentence. */
export interface ReferenceProblem {
  readonly reason: "InvalidKind" | "RefNotPermitted" | "BackendNotFound" | "UnsupportedValue";
  readonly message: string;
}

export interface ResolvedBackend {
  readonly backend: RoutedBackend;
  readonly problem?: ReferenceProblem;
}

/** Pure: the Service port that a route's reference leads to. One that leads nowhere still takes its part of the requests. */
export function resolveBackend(reference: BackendReference, routeNamespace: string, world: World): ResolvedBackend {
  const { filters = [], weight = 1 } = reference;
  const found = findTarget(reference, routeNamespace, world, filters);
  if ("reason" in found)
    return {
      backend: { weight, destination: { kind: "failure", status: 500, message: found.message }, changes: noChanges },
      problem: found,
    };
  return {
    backend: {
      weight,
      destination: { kind: "service", target: found, protocol: "http1", tls: undefined },
      changes: planChanges(filters),
    },
  };
}

function findTarget(
  { group = "", kind = "Service", namespace, name, port }: BackendReference,
  routeNamespace: string,
  world: World,
  filters: readonly HttpRouteFilter[],
): BackendTarget | ReferenceProblem {
  const to = { group, kind, namespace: namespace ?? routeNamespace, name };
  if (group !== "" || kind !== "Service")
    return {
      reason: "InvalidKind",
      message: `backends of kind ${group === "" ? kind : `${kind}.${group}`} are not supported`,
    };
  if (!isGranted(world.grants, { from: { kind: "HTTPRoute", namespace: routeNamespace }, to }))
    return {
      reason: "RefNotPermitted",
      message: `no ReferenceGrant in namespace ${to.namespace} lets HTTPRoutes of ${routeNamespace} refer to Service ${name}`,
    };
  const service = world.service(to.namespace, name);
  if (!service) return { reason: "BackendNotFound", message: `there is no Service ${to.namespace}/${name}` };
  const servicePort = service.spec?.ports?.find((one) => one.port === port);
  if (!servicePort)
    return {
      reason: "BackendNotFound",
      message: `Service ${to.namespace}/${name} has no port ${port ?? "(none is named)"}`,
    };
  const filter = unsupportedFilter(filters);
  if (filter !== undefined)
    return { reason: "UnsupportedValue", message: `filters of type ${filter} are not supported` };
  return { namespace: to.namespace, service: name, portName: servicePort.name ?? "" };
}
