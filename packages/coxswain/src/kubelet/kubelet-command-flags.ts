import { defineFlags } from "@coxswain/component/flags";
import { logFlags } from "../command/log-flags.js";
import { servingCertificateFlags } from "../command/serving-certificate-flags.js";

/** Under the kubelet's names, where it has them. */
export const kubeletCommandFlags = defineFlags({
  kubeconfig: {
    group: "Cluster",
    type: "string",
    value: "file",
    help: "How to reach the API server. For several nodes its user must be allowed to impersonate them and to read all pods.",
  },
  "hostname-override": {
    group: "Nodes",
    type: "string",
    value: "name",
    help: "The node's name. Default: this machine's. Several nodes are called name-0, name-1, …",
  },
  "container-runtime-endpoint": {
    group: "Real node",
    type: "string",
    value: "unix:///path",
    help: "A container runtime that speaks CRI v1, such as containerd: this machine is then a node whose containers really run. Needs root.",
  },
  "root-dir": {
    group: "Real node",
    type: "string",
    default: "/var/lib/kubelet",
    value: "dir",
    help: "Where volumes and other files of pods are.",
  },
  "config-dir": {
    group: "Real node",
    type: "string",
    value: "dir",
    help: "Files *.conf with parts of a KubeletConfiguration, merged over --config in the order of their names.",
  },
  "runtime-cgroups": {
    group: "Real node",
    type: "string",
    value: "group",
    help: "Ignored: the runtime keeps the control group that it was started in.",
  },
  nodes: {
    group: "Nodes",
    type: "integer",
    default: 1,
    min: 1,
    max: 10_000,
    value: "n",
    help: "How many simulated nodes this process is.",
  },
  "node-ip": {
    group: "Nodes",
    type: "string",
    value: "address",
    help: "Where the API server reaches the nodes, for logs and exec. Default: the address to serve on.",
  },
  "node-labels": { group: "Nodes", type: "map", value: "key=value,…", help: "Labels of the nodes." },
  "register-with-taints": {
    group: "Nodes",
    type: "strings",
    value: "key=value:effect,…",
    help: "Taints that new nodes have.",
  },
  config: {
    group: "Nodes",
    type: "string",
    value: "file",
    help: "A KubeletConfiguration: eviction, images, static pods.",
  },
  "pod-manifest-path": {
    group: "Nodes",
    type: "string",
    value: "file|dir",
    help: "Manifests of static pods, instead of the configuration's staticPodPath.",
  },
  address: {
    group: "Serving",
    type: "string",
    default: "127.0.0.1",
    value: "address",
    help: "The address to serve on. Only this machine reaches the default.",
  },
  port: {
    group: "Serving",
    type: "integer",
    default: 10_250,
    min: 1,
    max: 65_535,
    value: "port",
    help: "For logs, exec, port-forwarding and metrics, for clients whom the API server allows it (nodes/proxy, nodes/metrics, …).",
  },
  ...servingCertificateFlags,
  "client-ca-file": {
    group: "Serving",
    type: "string",
    value: "file",
    help: "Authorities of client certificates. Default: those that the API server publishes.",
  },
  "healthz-bind-address": {
    group: "Serving",
    type: "string",
    default: "127.0.0.1",
    value: "address",
    help: "The address for /healthz.",
  },
  "healthz-port": {
    group: "Serving",
    type: "integer",
    default: 10_248,
    min: 0,
    max: 65_535,
    value: "port",
    help: "The port for /healthz, over plain HTTP; 0: none.",
  },
  ...logFlags,
  help: { group: "Help", type: "boolean", help: "Show this text." },
});
