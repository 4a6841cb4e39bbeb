import { defineFlags } from "@coxswain/component/flags";
import { auditFlags } from "./audit-flags.js";
import { authenticationFlags } from "./authentication-flags.js";
import { authorizationFlags } from "./authorization-flags.js";
import { etcdFlags } from "./engine-flags.js";
import { kubeletFlags } from "./kubelet-flags.js";
import { surfaceFlags } from "./surface-flags.js";

export const apiserverFlags = defineFlags({
  "data-dir": {
    group: "Server",
    type: "string",
    default: ".coxswain",
    value: "dir",
    help: "Where the cluster's data and its certificates are kept. Made at first start.",
  },
  "bind-address": {
    group: "Server",
    type: "string",
    default: "127.0.0.1",
    value: "address",
    help: "The address to listen on. Only this machine reaches the default.",
  },
  "secure-port": {
    group: "Server",
    type: "integer",
    default: 6443,
    min: 0,
    max: 65535,
    value: "port",
    help: "The port to serve HTTPS on; 0 takes any free one.",
  },
  "write-kubeconfig": {
    group: "Server",
    type: "string",
    value: "file",
    help: "Where to write a kubeconfig for an administrator once the server is ready. Default: kubeconfig in the data directory.",
  },
  storage: {
    group: "Store",
    type: "string",
    default: "lmdb",
    choices: ["lmdb", "memory", "etcd"],
    help: "What keeps the data: lmdb on disk, memory, which forgets everything when the server ends, or an etcd cluster.",
  },
  ...etcdFlags,
  "encryption-provider-config": {
    group: "Store",
    type: "string",
    value: "file",
    help: "An EncryptionConfiguration: which resources are encrypted at rest, and with what keys.",
  },
  "encryption-provider-config-automatic-reload": {
    group: "Store",
    type: "boolean",
    help: "Let changes of that file take effect while the server runs, at once or at SIGHUP. A file that cannot be used changes nothing.",
  },
  ...authorizationFlags,
  "enable-admission-plugins": {
    group: "Access",
    type: "strings",
    default: [],
    value: "name,…",
    help: "Admission plugins to run beside those that run by default. Their order is fixed.",
  },
  "disable-admission-plugins": {
    group: "Access",
    type: "strings",
    default: [],
    value: "name,…",
    help: "Admission plugins not to run although they do by default.",
  },
  "admission-control-config-file": {
    group: "Access",
    type: "string",
    value: "file",
    help: "An AdmissionConfiguration: what the admission plugins that can be configured shall do.",
  },
  ...authenticationFlags,
  ...auditFlags,
  "request-timeout": {
    group: "Limits",
    type: "duration",
    default: "1m0s",
    help: "How long a request may take before it is answered with 504. Watches have a time of their own.",
  },
  "min-request-timeout": {
    group: "Limits",
    type: "integer",
    default: 1800,
    min: 0,
    value: "seconds",
    help: "A watch without a timeout ends after a time between this and twice this.",
  },
  "event-ttl": {
    group: "Store",
    type: "duration",
    default: "1h0m0s",
    help: "How long an Event stays after it was written last; 0: for ever.",
  },
  "lease-reuse-duration-seconds": {
    group: "Store",
    type: "integer",
    default: 60,
    min: 0,
    value: "seconds",
    help: "For how long new Events share a lease of the store; they live that much longer at most.",
  },
  "service-cluster-ip-range": {
    group: "Network",
    type: "strings",
    default: ["10.96.0.0/16"],
    value: "cidr[,cidr]",
    help: "Where services get their addresses from: one range, or one of each address family.",
  },
  "service-node-port-range": {
    group: "Network",
    type: "string",
    default: "30000-32767",
    value: "first-last",
    help: "The ports that services may take on every node.",
  },
  "advertise-address": {
    group: "Network",
    type: "string",
    value: "address",
    help: "Where clients inside the cluster reach the server. Default: the address to listen on, or one of this machine's if that is a loopback address.",
  },
  "feature-gates": {
    group: "API",
    type: "map",
    value: "gate=true|false,…",
    help: "Feature gates of Kubernetes 1.36 to switch on or off, beside AllAlpha and AllBeta.",
  },
  "runtime-config": {
    group: "API",
    type: "map",
    bareKeys: true,
    value: "name=true|false,…",
    help: "What to serve beside the defaults, or no longer: api/all, api/ga, api/beta, api/alpha, group/version or group/version/resource.",
  },
  "allow-privileged": {
    group: "API",
    type: "boolean",
    help: "Let containers be privileged. Without it such pods are refused.",
  },
  "enable-aggregator-routing": {
    group: "API",
    type: "boolean",
    help: "Reach webhooks behind services at their endpoints, not at the cluster IP.",
  },
  ...kubeletFlags,
  "log-level": {
    group: "Log",
    type: "string",
    default: "info",
    choices: ["error", "warn", "info", "debug", "trace"],
    help: "How much to say.",
  },
  "logging-format": {
    group: "Log",
    type: "string",
    default: "text",
    choices: ["text", "json"],
    help: "Text for people, JSON for programs.",
  },
  ...surfaceFlags,
  help: { group: "Help", type: "boolean", help: "Show this text." },
});
