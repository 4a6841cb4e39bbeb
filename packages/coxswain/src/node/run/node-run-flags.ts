import { defineFlags } from "@coxswain/component/flags";
import { kubeletCommandFlags } from "../../kubelet/kubelet-command-flags.js";

const {
  nodes: _,
  help,
  "container-runtime-endpoint": endpoint,
  "runtime-cgroups": __,
  ...ofKubelet
} = kubeletCommandFlags;

/** The kubelet's flags as far as they concern a machine, and what the proxy and the pod network of the same process need. */
export const nodeRunFlags = defineFlags({
  ...ofKubelet,
  kubeconfig: {
    group: "Cluster",
    type: "string",
    value: "file",
    help: "How to reach the API server. Its user is the node: system:node:<name> in system:nodes.",
  },
  "proxy-kubeconfig": {
    group: "Cluster",
    type: "string",
    value: "file",
    help: "The same for proxy, network policies and routes, which read more than a node may. Default: --kubeconfig.",
  },
  "authority-file": {
    group: "Cluster",
    type: "string",
    value: "file",
    help: "Keep this file, which --kubeconfig and --client-ca-file name, as the authorities that the cluster publishes (kube-system/kube-root-ca.crt), and have the node's certificates signed anew when another one signs. Default: it stays as it is.",
  },
  "container-runtime-endpoint": { ...endpoint, default: "unix:///run/containerd/containerd.sock" },
  "proxy-config": {
    group: "Network",
    type: "string",
    value: "file",
    help: "A KubeProxyConfiguration. Default: one for --cluster-cidr.",
  },
  "cluster-cidr": { group: "Network", type: "string", value: "network,…", help: "The network of all pods." },
  "cni-conf-dir": {
    group: "Network",
    type: "string",
    value: "dir",
    help: "Write a CNI configuration there when the Node has its network of pods. Default: none is written, the machine has its own.",
  },
  "node-network": {
    group: "Network",
    type: "strings",
    value: "network,…",
    default: [],
    help: "Keep routes to the pods of each other node whose addresses are in these networks, one of each family. Default: no routes.",
  },
  "pod-tunnel": {
    group: "Network",
    type: "integer",
    min: 1,
    max: 0xff_ff_ff,
    value: "id",
    help: "Keep routes to the pods of all other nodes: directly on a common link, else by VXLAN with this identifier (UDP port 8472). Needs --node-ip.",
  },
  "machines-behind": {
    group: "Network",
    type: "string",
    value: "network=address",
    help: "Nodes of this network are reached through the machine with this address.",
  },
  "service-proxy": {
    group: "Network",
    type: "boolean",
    default: true,
    help: "Send connections to services to their endpoints. =false where the cluster brings a proxy of its own, such as kube-proxy's DaemonSet; network policies are off then, too.",
  },
  "network-policy": {
    group: "Network",
    type: "boolean",
    default: true,
    help: "Enforce NetworkPolicies on this node's pods.",
  },
  "masquerade-pods": {
    group: "Network",
    type: "strings",
    value: "network,…",
    help: "Masquerade connections from these networks of pods to anywhere else. Default: none.",
  },
  help,
});
