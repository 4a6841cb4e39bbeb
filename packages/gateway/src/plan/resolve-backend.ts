import type { Service } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { BackendDestination, BackendProtocol, BackendTls, ServerCertificate } from "../engine/backend.js";
import type { BackendObjectReference } from "../objects/gateway-objects.js";
import type { PolicyIndex } from "./backend-tls-policies.js";
import { isGranted } from "./reference-grants.js";
import { notGranted, type Problem, type Referrer } from "./references.js";
import type { World } from "./world.js";

export interface BackendFacts {
  readonly from: Referrer;
  readonly world: World;
  readonly policies: PolicyIndex;
  /** What the Gateway shows backends (Gateway.spec.tls.backend). */
  readonly clientCertificate: ServerCertificate | undefined;
  /** Each Service that is referred to, as `namespace/name`. */
  readonly onService: (key: string) => void;
}

export interface ResolvedBackend {
  readonly destination: BackendDestination;
  /** For the condition ResolvedRefs. */
  readonly problem: Problem | undefined;
}

/** Pure: the Service port that a route's reference leads to. One that leads nowhere still takes its part of the requests. */
export function resolveBackend(reference: BackendObjectReference, facts: BackendFacts): ResolvedBackend {
  const { from, world, policies } = facts;
  const { group = "", kind = "Service", namespace = from.namespace, name, port } = reference;
  const nowhere = (problem: Problem): ResolvedBackend => ({
    destination: { kind: "failure", status: 500, message: problem.message },
    problem,
  });
  if (group !== "" || kind !== "Service")
    return nowhere({
      reason: "InvalidKind",
      message: `backends of kind ${group === "" ? kind : `${kind}.${group}`} are not supported`,
    });
  const to = { group, kind, namespace, name };
  if (!isGranted(world.grants, { from, to })) return nowhere(notGranted(from, to));
  const service = world.service(namespace, name);
  if (!service) return nowhere({ reason: "BackendNotFound", message: `there is no Service ${namespace}/${name}` });
  const servicePort = portOf(service, port, from.kind);
  if (!servicePort)
    return nowhere({
      reason: "BackendNotFound",
      message: `Service ${namespace}/${name} has no port ${port ?? "(none is named)"}`,
    });
  facts.onService(`${namespace}/${name}`);
  const policy = policies.find(`${namespace}/${name}`, servicePort.name ?? "");
  if (policy?.kind === "unusable")
    return { destination: { kind: "failure", status: 503, message: policy.message }, problem: undefined };
  const tls: BackendTls | undefined = policy && { ...policy.tls, clientCertificate: facts.clientCertificate };
  return {
    destination: {
      kind: "service",
      target: { namespace, service: name, portName: servicePort.name ?? "" },
      protocol: protocolOf(servicePort.appProtocol, from.kind),
      tls,
    },
    problem: undefined,
  };
}

const portOf = (
  { spec }: DeepReadonly<Service>,
  port: number | undefined,
  kind: string,
): NonNullable<NonNullable<DeepReadonly<Service>["spec"]>["ports"]>[number] | undefined =>
  spec?.ports?.find((one) => one.port === port && (one.protocol ?? "TCP") === (kind === "UDPRoute" ? "UDP" : "TCP"));

/** By the port's `appProtocol`; WebSockets are HTTP/1.1 here. gRPC needs HTTP/2. */
const protocolOf = (appProtocol: string | undefined, kind: string): BackendProtocol =>
  kind === "GRPCRoute" || appProtocol === "kubernetes.io/h2c" ? "h2" : "http1";
