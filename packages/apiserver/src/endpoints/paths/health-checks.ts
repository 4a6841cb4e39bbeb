import type { HealthCheck, HealthChecks } from "./health.js";
import type { StartHooks } from "./start-hooks.js";

/** What a server does at its start, under upstream's names and in its order. Roles are only made where RBAC decides. */
export const startHookNames = ({ withRbac }: { readonly withRbac: boolean }): readonly string[] => [
  "start-apiserver-admission-initializer",
  "generic-apiserver-start-informers",
  "priority-and-fairness-config-consumer",
  "priority-and-fairness-filter",
  "storage-object-count-tracker-hook",
  "start-apiextensions-informers",
  "start-apiextensions-controllers",
  "crd-informer-synced",
  "start-system-namespaces-controller",
  "peer-endpoint-reconciler-controller",
  "start-cluster-authentication-info-controller",
  "start-kube-apiserver-identity-lease-controller",
  "start-kube-apiserver-identity-lease-garbage-collector",
  "storage-readiness",
  "start-legacy-token-tracking-controller",
  "start-service-ip-repair-controllers",
  ...(withRbac ? ["rbac/bootstrap-roles"] : []),
  "scheduling/bootstrap-system-priority-classes",
  "priority-and-fairness-config-producer",
  "bootstrap-controller",
  "start-kubernetes-service-cidr-controller",
  "start-kube-aggregator-informers",
  "apiservice-status-local-available-controller",
  "apiservice-status-remote-available-controller",
  "apiservice-registration-controller",
  "apiservice-discovery-controller",
  "kube-apiserver-autoregistration",
  "autoregister-completion",
  "apiservice-openapi-controller",
  "apiservice-openapiv3-controller",
];

export interface HealthSources {
  /** Why the store does not work, or nothing. */
  store(): string | undefined;
  /** Whether the server is about to end. */
  isShuttingDown(): boolean;
  readonly hooks: StartHooks;
  /** For so long a server that is still starting counts as alive: `now` is since its start, both in milliseconds. @default always in time */
  readonly livezGrace?: { readonly ms: number; now(): number };
}

const holds = (name: string): HealthCheck => ({ name, check: () => undefined });

/** The checks of an API server under the names that monitoring knows. */
export function serverHealthChecks({ store, isShuttingDown, hooks, livezGrace }: HealthSources): HealthChecks {
  const etcd: HealthCheck = { name: "etcd", check: store };
  const started = hooks.names.map((name): HealthCheck => ({ name: name === "autoregister-completion" ? name : `poststarthook/${name}`, check: () => hooks.problem(name) }));
  const inGrace = (): boolean => livezGrace !== undefined && livezGrace.now() < livezGrace.ms;
  const startedInTime = started.map(({ name, check }): HealthCheck => ({ name, check: () => (inGrace() ? undefined : check()) }));
  const always = [holds("ping"), holds("log")];
  const shutdown: HealthCheck = { name: "shutdown", check: () => (isShuttingDown() ? "process is shutting down" : undefined) };
  return {
    healthz: [...always, holds("loopback-serving-certificate"), etcd, ...started],
    livez: [...always, holds("loopback-serving-certificate"), etcd, ...startedInTime],
    readyz: [...always, etcd, { name: "etcd-readiness", check: store }, { name: "informer-sync", check: store }, ...started, shutdown],
  };
}
