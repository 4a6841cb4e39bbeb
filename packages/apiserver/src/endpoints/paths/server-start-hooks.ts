import type { StartHook, StartStep } from "./start-hooks.js";

export interface StartHookChoice {
  /** Roles are only made where RBAC decides. */
  readonly withRbac: boolean;
  /** Further ones, of things that are done before the server is made. */
  readonly more?: readonly string[];
}

/** What a server does at its start, under upstream's names and in its order. */
export const serverStartHooks = ({ withRbac, more = [] }: StartHookChoice): readonly StartHook[] => [
  hook("start-apiserver-admission-initializer", "admission is ready"),
  ...more.map((name) => hook(name, "caches are filled")),
  hook("generic-apiserver-start-informers", "caches are filled"),
  hook("priority-and-fairness-config-consumer", "everything is served"),
  hook("priority-and-fairness-filter", "everything is served"),
  hook("storage-object-count-tracker-hook", "caches are filled"),
  hook("start-apiextensions-informers", "caches are filled"),
  hook("start-apiextensions-controllers", "everything is served"),
  hook("crd-informer-synced", "caches are filled"),
  hook("start-system-namespaces-controller", "objects are made"),
  hook("peer-endpoint-reconciler-controller", "objects are up to date"),
  hook("start-cluster-authentication-info-controller", "objects are up to date"),
  hook("start-kube-apiserver-identity-lease-controller", "objects are made"),
  hook("start-kube-apiserver-identity-lease-garbage-collector", "everything is served"),
  hook("storage-readiness", "caches are filled"),
  hook("start-legacy-token-tracking-controller", "objects are made"),
  hook("start-service-ip-repair-controllers", "everything is served"),
  ...(withRbac ? [hook("rbac/bootstrap-roles", "objects are made")] : []),
  hook("scheduling/bootstrap-system-priority-classes", "objects are made"),
  hook("priority-and-fairness-config-producer", "objects are made"),
  hook("bootstrap-controller", "objects are up to date"),
  hook("start-kubernetes-service-cidr-controller", "objects are made"),
  hook("start-kube-aggregator-informers", "caches are filled"),
  hook("apiservice-status-local-available-controller", "objects are made"),
  hook("apiservice-status-remote-available-controller", "everything is served"),
  hook("apiservice-registration-controller", "everything is served"),
  hook("apiservice-discovery-controller", "everything is served"),
  hook("kube-apiserver-autoregistration", "objects are made"),
  hook("autoregister-completion", "objects are made"),
  hook("apiservice-openapi-controller", "everything is served"),
  hook("apiservice-openapiv3-controller", "everything is served"),
];

const hook = (name: string, after: StartStep): StartHook => ({ name, after });
