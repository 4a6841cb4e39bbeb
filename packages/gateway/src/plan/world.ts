import type { Namespace, Secret, Service } from "@coxswain/api/core/v1";
import type { Ingress, IngressClass } from "@coxswain/api/networking/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { Gateway, GatewayClass, HttpRoute, ReferenceGrant } from "../objects/gateway-objects.js";

/** What of the cluster routes are planned from. */
export interface World {
  readonly classes: readonly GatewayClass[];
  readonly gateways: readonly Gateway[];
  readonly httpRoutes: readonly HttpRoute[];
  readonly grants: readonly ReferenceGrant[];
  readonly ingressClasses: readonly DeepReadonly<IngressClass>[];
  readonly ingresses: readonly DeepReadonly<Ingress>[];
  namespace(name: string): DeepReadonly<Namespace> | undefined;
  service(namespace: string, name: string): DeepReadonly<Service> | undefined;
  secret(namespace: string, name: string): DeepReadonly<Secret> | undefined;
}

/** `namespace/name` */
export const keyOf = ({
  metadata,
}: {
  readonly metadata?: { readonly namespace?: string; readonly name?: string };
}): string => `${metadata?.namespace ?? ""}/${metadata?.name ?? ""}`;
