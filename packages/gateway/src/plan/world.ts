import type { ConfigMap, Namespace, Secret, Service } from "@coxswain/api/core/v1";
import type { Ingress, IngressClass } from "@coxswain/api/networking/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { ServerCertificate } from "../engine/backend.js";
import type {
  BackendTlsPolicy,
  Gateway,
  GatewayClass,
  GrpcRoute,
  HttpRoute,
  ListenerSet,
  ReferenceGrant,
  StreamRoute,
} from "../objects/gateway-objects.js";

/** What of the cluster routes are planned from. */
export interface World {
  readonly classes: readonly GatewayClass[];
  readonly gateways: readonly Gateway[];
  readonly listenerSets: readonly ListenerSet[];
  readonly httpRoutes: readonly HttpRoute[];
  readonly grpcRoutes: readonly GrpcRoute[];
  readonly tlsRoutes: readonly StreamRoute[];
  readonly tcpRoutes: readonly StreamRoute[];
  readonly udpRoutes: readonly StreamRoute[];
  readonly backendTlsPolicies: readonly BackendTlsPolicy[];
  readonly grants: readonly ReferenceGrant[];
  readonly ingressClasses: readonly DeepReadonly<IngressClass>[];
  readonly ingresses: readonly DeepReadonly<Ingress>[];
  namespace(name: string): DeepReadonly<Namespace> | undefined;
  service(namespace: string, name: string): DeepReadonly<Service> | undefined;
  configMap(namespace: string, name: string): DeepReadonly<ConfigMap> | undefined;
  secret(namespace: string, name: string): DeepReadonly<Secret> | undefined;
  /** One of this machine's own authority for names below localhost, the same object for the same names; undefined: there is no such authority. */
  localCertificate(hosts: readonly string[]): ServerCertificate | undefined;
}

/** `namespace/name` */
export const keyOf = ({
  metadata,
}: {
  readonly metadata?: { readonly namespace?: string; readonly name?: string };
}): string => `${metadata?.namespace ?? ""}/${metadata?.name ?? ""}`;

/** Which of two objects counts where both cannot: the older, then the one whose `namespace/name` is first. */
export const byAge = (a: Aged, b: Aged): number =>
  compare(a.metadata.creationTimestamp ?? "", b.metadata.creationTimestamp ?? "") || compare(keyOf(a), keyOf(b));

interface Aged {
  readonly metadata: { readonly creationTimestamp?: string; readonly namespace?: string; readonly name?: string };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
