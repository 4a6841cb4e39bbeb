import { defineFlags } from "@coxswain/component/flags";
import { tlsVersions } from "@coxswain/component/serving";
import { logFlags } from "../command/log-flags.js";
import { servingCertificateFlags } from "../command/serving-certificate-flags.js";

/** Flags that controller manager and scheduler share, under kube-controller-manager's names. */
export const componentFlags = defineFlags({
  kubeconfig: {
    group: "Cluster",
    type: "string",
    value: "file",
    help: "How to reach the API server. Default: the service account of the pod it runs in.",
  },
  master: {
    group: "Cluster",
    type: "string",
    value: "url",
    help: "The API server's address, instead of the kubeconfig's.",
  },
  "kube-api-qps": {
    group: "Cluster",
    type: "number",
    min: 0,
    value: "n",
    help: "Requests per second that each client may send. Default: no limit; the server has its own.",
  },
  "kube-api-burst": {
    group: "Cluster",
    type: "integer",
    min: 0,
    value: "n",
    help: "Requests that may be sent at once.",
  },
  "kube-api-content-type": {
    group: "Cluster",
    type: "string",
    default: "application/json",
    choices: ["application/json", "application/vnd.kubernetes.protobuf"],
    help: "Taken for compatibility: requests are always JSON.",
    hidden: true,
  },
  "feature-gates": {
    group: "Cluster",
    type: "map",
    value: "gate=true|false,…",
    help: "Feature gates of Kubernetes 1.36.",
  },
  "leader-elect": {
    group: "Leader election",
    type: "boolean",
    default: true,
    help: "Work only while holding the lease, so that several may run.",
  },
  "leader-elect-lease-duration": {
    group: "Leader election",
    type: "duration",
    default: "15s",
    help: "How long others wait after the last renewal before they take the lease.",
  },
  "leader-elect-renew-deadline": {
    group: "Leader election",
    type: "duration",
    default: "10s",
    help: "How long the leader goes on without a renewal.",
  },
  "leader-elect-retry-period": {
    group: "Leader election",
    type: "duration",
    default: "2s",
    help: "Between two tries.",
  },
  "leader-elect-resource-lock": {
    group: "Leader election",
    type: "string",
    default: "leases",
    choices: ["leases"],
    help: "What kind of object the lock is.",
  },
  "leader-elect-resource-namespace": {
    group: "Leader election",
    type: "string",
    default: "kube-system",
    value: "namespace",
    help: "Where the lease is.",
  },
  "bind-address": {
    group: "Serving",
    type: "string",
    default: "0.0.0.0",
    value: "address",
    help: "The address for health, metrics and other pages.",
  },
  ...servingCertificateFlags,
  "tls-min-version": {
    group: "Serving",
    type: "string",
    choices: [...tlsVersions.keys()],
    help: "The oldest TLS version to serve.",
  },
  "tls-cipher-suites": {
    group: "Serving",
    type: "strings",
    value: "suite,…",
    help: "Cipher suites of TLS 1.2, by Go's names.",
  },
  "authentication-kubeconfig": {
    group: "Access",
    type: "string",
    value: "file",
    help: "Who reviews tokens and knows the client authorities. Default: only anonymous requests.",
  },
  "authentication-skip-lookup": {
    group: "Access",
    type: "boolean",
    help: "Do not read the client authorities from the cluster.",
  },
  "authentication-tolerate-lookup-failure": {
    group: "Access",
    type: "boolean",
    default: true,
    help: "Start even if the client authorities cannot be read.",
  },
  "client-ca-file": { group: "Access", type: "string", value: "file", help: "Authorities of client certificates." },
  "authorization-kubeconfig": {
    group: "Access",
    type: "string",
    value: "file",
    help: "Who decides about requests. Default: all but the paths below are refused.",
  },
  "authorization-always-allow-paths": {
    group: "Access",
    type: "strings",
    default: ["/healthz", "/readyz", "/livez"],
    value: "path,…",
    help: "Paths that everybody may see.",
  },
  profiling: { group: "Serving", type: "boolean", default: true, help: "Serve CPU profiles at /debug/pprof/profile." },
  ...logFlags,
  help: { group: "Help", type: "boolean", help: "Show this text." },
});
