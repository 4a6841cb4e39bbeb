import { defineFlags } from "@coxswain/component/flags";

/** How nodes run containers. */
export const machineFlags = defineFlags({
  runtime: {
    group: "Nodes",
    type: "string",
    default: "simulated",
    choices: ["simulated", "containerd"],
    help: "containerd: nodes are machines in namespaces of this one, and containers really run (Linux, root; coxswain node check).",
  },
  "node-network": {
    group: "Nodes",
    type: "string",
    value: "network",
    help: "Of the machines of real nodes and this one. Default: the last one, else a /24 of 10.223.0.0/16 that nobody uses.",
  },
  "pod-network": {
    group: "Nodes",
    type: "string",
    value: "network",
    help: "Of the pods of real nodes. Default: the last one, else one of 10.232.0.0/16 to 10.243.0.0/16 that nobody uses.",
  },
  "dual-stack": {
    group: "Nodes",
    type: "boolean",
    help: "Real nodes, pods and services have IPv6 addresses, too; for a new cluster, which keeps them.",
  },
  "registry-config": {
    group: "Nodes",
    type: "string",
    default: "/etc/containerd/certs.d",
    value: "dir",
    help: "How containerd reaches registries: a folder per registry with a file hosts.toml, for mirrors and authorities.",
  },
  "registry-mirror": {
    group: "Nodes",
    type: "strings",
    default: [],
    value: "registry=url,…",
    help: "Real nodes pull images of a registry from there first: docker.io=https://mirror.example:5000; _default for all registries. Comes before --registry-config.",
  },
  "simulated-nodes": {
    group: "Nodes",
    type: "integer",
    default: 0,
    min: 0,
    max: 1000,
    value: "n",
    help: "Simulated nodes next to real ones, with the taint coxswain.dev/simulated:NoSchedule: pods that tolerate it run there.",
  },
  "pause-image": {
    group: "Nodes",
    type: "string",
    default: "registry.k8s.io/pause:3.10.2",
    value: "image",
    help: "What holds the namespaces of a pod on real nodes.",
  },
});
