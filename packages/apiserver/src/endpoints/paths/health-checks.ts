import type { HealthCheck, HealthChecks } from "./health.js";

/** What upstream starts beside the server, in its order. All of it is done before our server answers its first request. */
const startUp = [
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
].map((name) => holds(name === "autoregister-completion" ? name : `poststarthook/${name}`));

function holds(name: string): HealthCheck {
  return { name, check: () => undefined };
}

/** The checks of an API server under the names that monitoring knows. `store`: why it does not work, or nothing; `ready`: why no new requests should come. */
export function serverHealthChecks({ store, ready }: { store(): string | undefined; ready(): string | undefined }): HealthChecks {
  const etcd: HealthCheck = { name: "etcd", check: store };
  const live = [holds("ping"), holds("log"), holds("loopback-serving-certificate"), etcd, ...startUp];
  const readyz = [holds("ping"), holds("log"), etcd, { name: "etcd-readiness", check: store }, { name: "informer-sync", check: store }, ...startUp, { name: "shutdown", check: ready }];
  return { healthz: live, livez: live, readyz };
}
