import { defineFlags } from "@coxswain/component/flags";
import { logFlags } from "../command/log-flags.js";

/** kubeadm's names also work, where it has others. */
export const joinFlags = defineFlags({
  token: { group: "Cluster", type: "string", value: "id.secret", help: "What coxswain token create printed." },
  "ca-cert-hash": {
    group: "Cluster",
    type: "strings",
    default: [],
    value: "sha256:…",
    help: "The cluster's authority, by the hash of its key (kubeadm's --discovery-token-ca-cert-hash). May be repeated.",
  },
  "unsafe-skip-ca-verification": {
    group: "Cluster",
    type: "boolean",
    help: "Trust a server that knows the token, without --ca-cert-hash.",
  },
  "control-plane": {
    group: "Control plane",
    type: "boolean",
    help: "Make this machine one more of the control plane (API server, controller manager, scheduler) instead of a node.",
  },
  "certificate-key": {
    group: "Control plane",
    type: "string",
    value: "key",
    help: "By which the cluster's keys are decrypted: coxswain token create --control-plane prints it.",
  },
  "bind-address": {
    group: "Control plane",
    type: "string",
    value: "address",
    help: "Where its processes listen. Default: --node-ip, or the address that it reaches the API server from.",
  },
  "secure-port": {
    group: "Control plane",
    type: "integer",
    default: 6443,
    min: 1,
    max: 65_535,
    value: "port",
    help: "Of its API server.",
  },
  "node-name": { group: "Node", type: "string", value: "name", help: "Default: this machine's name." },
  "node-ip": {
    group: "Node",
    type: "string",
    value: "address",
    help: "By which others reach this machine. Default: the one that it reaches the API server from.",
  },
  "container-runtime-endpoint": {
    group: "Node",
    type: "string",
    default: "unix:///run/containerd/containerd.sock",
    value: "unix:///path",
    help: "The machine's container runtime.",
  },
  network: {
    group: "Network",
    type: "string",
    default: "auto",
    choices: ["auto", "none"],
    help: "auto: routes to pods of nodes on the same link, VXLAN to others, and a CNI configuration. none: the user's own CNI does all that.",
  },
  "cni-conf-dir": {
    group: "Network",
    type: "string",
    default: "/etc/cni/net.d",
    value: "dir",
    help: "Where the container runtime looks for CNI configurations.",
  },
  "data-dir": {
    group: "Node",
    type: "string",
    default: "/var/lib/coxswain",
    value: "dir",
    help: "Credentials and configuration of the node.",
  },
  "cert-ttl": {
    group: "Node",
    type: "duration",
    value: "duration",
    help: "How long the first client certificate lasts (at least 10m0s). Default: the signer decides.",
  },
  "print-unit": {
    group: "Node",
    type: "boolean",
    help: "Join, print a systemd unit that runs the node (three for a control plane), and end. Default: run it in the foreground.",
  },
  ...logFlags,
  help: { group: "Help", type: "boolean", help: "Show this text." },
});
