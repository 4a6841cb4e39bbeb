import { defineFlags } from "@coxswain/component/flags";
import { apiserverFlags } from "../apiserver/apiserver-flags.js";
import { keyFlags } from "../controller-manager/key-flags.js";
import { choiceFlags } from "./choice-flags.js";
import { machineFlags } from "./machines/machine-flags.js";

export const upFlags = defineFlags({
  ...apiserverFlags,
  ...choiceFlags,
  ...machineFlags,
  "secure-port": {
    group: "Cluster",
    type: "integer",
    min: 0,
    max: 65_535,
    value: "port",
    help: "The port to serve HTTPS on. Default: the cluster's last one, else 6443, or any free one if that is taken.",
  },
  "write-kubeconfig": {
    group: "Cluster",
    type: "string",
    value: "file",
    help: "Where to write an administrator's kubeconfig once the cluster is ready. Default: kubeconfig in the cluster's folder; by sudo, ~/.kube/coxswain of the user who called.",
  },
  "merge-kubeconfig": {
    group: "Cluster",
    type: "boolean",
    help: "Also add the cluster to ~/.kube/config (or the first file of KUBECONFIG) and make it the current context.",
  },
  "in-memory": { group: "Cluster", type: "boolean", help: "Keep nothing on disk but certificates: gone when it ends." },
  nodes: {
    group: "Cluster",
    type: "integer",
    default: 3,
    min: 0,
    max: 10_000,
    value: "n",
    help: "How many nodes there are. Default: 3 simulated ones, or 1 with --runtime containerd (250 at most).",
  },
  controllers: {
    group: "Cluster",
    type: "strings",
    // Without tokens and their ConfigMap the two have nothing to do.
    default: ["*", "bootstrap-signer-controller", "token-cleaner-controller"],
    value: "name,…",
    help: "Which controllers run: '*' for the usual ones, 'name' for one more, '-name' for one less.",
  },
  "cluster-signing-duration": keyFlags["cluster-signing-duration"],
  "scheduler-config": {
    group: "Cluster",
    type: "string",
    value: "file",
    help: "A KubeSchedulerConfiguration: profiles, plugins and their arguments.",
  },
  "kubelet-config": {
    group: "Cluster",
    type: "string",
    value: "file",
    help: "A KubeletConfiguration for the nodes: eviction, images, static pods.",
  },
  simulation: {
    group: "Cluster",
    type: "string",
    value: "file",
    help: "Pools of simulated nodes (in place of --nodes) and rules for simulated containers, as YAML: docs/nodes.md.",
  },
  stages: {
    group: "Cluster",
    type: "strings",
    default: [],
    value: "file|dir,…",
    help: "KWOK Stages that simulated pods and nodes follow, beside those that the cluster has.",
  },
  metrics: {
    group: "Cluster",
    type: "boolean",
    default: true,
    help: "Serve metrics.k8s.io for kubectl top and autoscalers, until a metrics-server that is installed answers.",
  },
  "dns-port": {
    group: "Cluster",
    type: "integer",
    min: 0,
    max: 65_535,
    value: "port",
    help: "Answer DNS questions about services on this port of 127.0.0.1; 0: any free one. Default: do not listen.",
  },
  "gateway-port": {
    group: "Cluster",
    type: "integer",
    min: 0,
    max: 65_000,
    value: "port",
    help: "Serve Ingresses and Gateways on this port of 127.0.0.1; 0: do not. Default: the first free one from 8080 on.",
  },
  "gateway-api": {
    group: "Cluster",
    type: "boolean",
    default: true,
    help: "Give a new cluster the definitions of the Gateway API's standard channel, and a GatewayClass `coxswain`; if the flag is there, one of before gets what it lacks, too.",
  },
  "gateway-tls": {
    group: "Cluster",
    type: "boolean",
    help: "Serve Ingresses for names below localhost by HTTPS, too, with certificates of an authority of this machine's own: it is made once, next to the clusters' folders, and can sign for no other names. Gateways ask for it by tls.options: coxswain.dev/certificate: local.",
  },
  "gateway-addresses": {
    group: "Cluster",
    type: "string",
    value: "first-last",
    help: "A range of IPv4 addresses of this machine, such as 127.65.0.1-127.65.255.254: each Gateway gets one of its own, with the ports of its listeners, for which low ports must be allowed. Default: all share 127.0.0.1 and --gateway-port.",
  },
  "load-balancer-addresses": {
    group: "Cluster",
    type: "string",
    value: "address|cidr",
    help: "Where services of type LoadBalancer are reached: one address for all, or a range with one for each. Empty: nowhere. Default: 127.64.0.0/16 on Linux (the next free one of 127.64.0.0/10 where another cluster has it), else 127.0.0.1.",
  },
  console: {
    group: "Cluster",
    type: "boolean",
    default: true,
    help: "Serve the cluster in the browser, on a port of 127.0.0.1, and print a link.",
  },
  "console-port": {
    group: "Cluster",
    type: "integer",
    min: 0,
    max: 65_535,
    value: "port",
    help: "The port of the console. Default: 6444, or another free one.",
  },
  detach: { group: "Cluster", type: "boolean", help: "Run in the background; return when the cluster is ready." },
  wait: {
    group: "Cluster",
    type: "boolean",
    help: "Report ready only when all nodes are, which is always so.",
    hidden: true,
  },
  "wait-timeout": {
    group: "Cluster",
    type: "duration",
    default: "1m0s",
    help: "How long --detach waits for the cluster.",
  },
  "enable-bootstrap-token-auth": { ...apiserverFlags["enable-bootstrap-token-auth"], default: true },
  history: { ...apiserverFlags.history, default: true },
  "allow-privileged": { ...apiserverFlags["allow-privileged"], default: true },
});
