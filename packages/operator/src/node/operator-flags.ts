import { defineFlags } from "@coxswain/component/flags";
import { logFlags } from "@coxswain/component/main";

/** The flags of a program that kubebuilder scaffolds, with its defaults. */
export const operatorFlags = defineFlags({
  kubeconfig: {
    type: "string",
    default: "",
    group: "Cluster",
    value: "file",
    help: "Paths to a kubeconfig. Only required if out-of-cluster.",
  },
  context: {
    type: "string",
    default: "",
    group: "Cluster",
    value: "name",
    help: "The context of the kubeconfig. The current one by default.",
  },
  "leader-elect": {
    type: "boolean",
    default: false,
    group: "Cluster",
    help: "Elect a leader among the replicas: only one of them reconciles.",
  },
  "leader-election-namespace": {
    type: "string",
    default: "",
    group: "Cluster",
    value: "namespace",
    help: "Where the Lease is. By default the namespace of the pod, or of the kubeconfig's context.",
  },
  "metrics-bind-address": {
    type: "string",
    default: "0",
    group: "Serving",
    value: "address",
    help: "The address the metrics endpoint binds to: :8443 for HTTPS, :8080 for HTTP, 0 to disable it.",
  },
  "metrics-secure": {
    type: "boolean",
    default: true,
    group: "Serving",
    help: "Serve metrics by HTTPS, to clients that may get /metrics. Use --metrics-secure=false for HTTP.",
  },
  "metrics-cert-path": {
    type: "string",
    default: "",
    group: "Serving",
    value: "folder",
    help: "The folder of the metrics server's certificate. One is made by default.",
  },
  "metrics-cert-name": {
    type: "string",
    default: "tls.crt",
    group: "Serving",
    value: "file",
    help: "The name of the metrics server's certificate file.",
  },
  "metrics-cert-key": {
    type: "string",
    default: "tls.key",
    group: "Serving",
    value: "file",
    help: "The name of the metrics server's key file.",
  },
  "health-probe-bind-address": {
    type: "string",
    default: ":8081",
    group: "Serving",
    value: "address",
    help: "The address the probe endpoint binds to; 0 to disable it.",
  },
  "webhook-bind-address": {
    type: "string",
    default: ":9443",
    group: "Serving",
    value: "address",
    help: "The address the webhook server binds to.",
  },
  "webhook-cert-path": {
    type: "string",
    default: "",
    group: "Serving",
    value: "folder",
    help: "The folder of the webhook server's certificate.",
  },
  "webhook-cert-name": {
    type: "string",
    default: "tls.crt",
    group: "Serving",
    value: "file",
    help: "The name of the webhook server's certificate file.",
  },
  "webhook-cert-key": {
    type: "string",
    default: "tls.key",
    group: "Serving",
    value: "file",
    help: "The name of the webhook server's key file.",
  },
  ...logFlags("json"),
});
