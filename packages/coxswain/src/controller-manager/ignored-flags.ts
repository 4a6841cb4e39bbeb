import type { Flag } from "@coxswain/component/flags";

/** Flags of kube-controller-manager that name what does not exist here; they are taken, so that its command lines work. */
const ignored: Readonly<Record<string, "string" | "strings" | "boolean" | "duration" | "integer" | "number">> = {
  "allow-metric-labels": "strings",
  "allow-metric-labels-manifest": "string",
  "attach-detach-reconcile-sync-period": "duration",
  "authentication-token-webhook-cache-ttl": "duration",
  "authorization-webhook-cache-authorized-ttl": "duration",
  "authorization-webhook-cache-unauthorized-ttl": "duration",
  "cert-dir": "string",
  "cloud-config": "string",
  "cloud-provider": "string",
  "cluster-name": "string",
  "configure-cloud-routes": "boolean",
  "contention-profiling": "boolean",
  "controller-shutdown-timeout": "duration",
  "controller-start-interval": "duration",
  "disable-attach-detach-reconcile-sync": "boolean",
  "disable-http2-serving": "boolean",
  "disabled-metrics": "strings",
  "flex-volume-plugin-dir": "string",
  "http2-max-streams-per-connection": "integer",
  "log-flush-frequency": "duration",
  "min-resync-period": "duration",
  "namespace-sync-period": "duration",
  "node-monitor-period": "duration",
  "permit-address-sharing": "boolean",
  "permit-port-sharing": "boolean",
  "pv-recycler-maximum-retry": "integer",
  "requestheader-allowed-names": "strings",
  "requestheader-client-ca-file": "string",
  "requestheader-extra-headers-prefix": "strings",
  "requestheader-group-headers": "strings",
  "requestheader-uid-headers": "strings",
  "requestheader-username-headers": "strings",
  "route-reconciliation-period": "duration",
  "show-hidden-metrics-for-version": "string",
  vmodule: "string",
};

export const ignoredFlags: Readonly<Record<string, Flag>> = Object.fromEntries(
  Object.entries(ignored).map(([name, type]) => [
    name,
    { group: "Ignored", type, hidden: true, help: "Taken for compatibility; has no effect." } as Flag,
  ]),
);
