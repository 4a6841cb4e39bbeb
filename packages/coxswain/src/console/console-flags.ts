import { defineFlags } from "@coxswain/component/flags";

export const consoleFlags = defineFlags({
  kubeconfig: {
    group: "Cluster",
    type: "string",
    value: "file",
    help: "Which cluster, and as whom. Default: the cluster of this program by --name if it runs, else kubectl's.",
  },
  context: {
    group: "Cluster",
    type: "string",
    value: "name",
    help: "The context of the kubeconfig. Default: its current one.",
  },
  name: {
    group: "Cluster",
    type: "string",
    default: "default",
    value: "name",
    help: "A cluster of this program, where no kubeconfig is named.",
  },
  "read-only": {
    group: "Console",
    type: "boolean",
    help: "Refuse everything but reading, also where the user may do more.",
  },
  port: {
    group: "Console",
    type: "integer",
    min: 0,
    max: 65_535,
    value: "port",
    help: "The port to serve on. Default: 6444, or another free one.",
  },
  address: {
    group: "Console",
    type: "string",
    value: "host",
    help: "The address to serve on, for others than this machine; needs --tls-cert-file and --tls-private-key-file. Default: 127.0.0.1.",
  },
  "tls-cert-file": { group: "Console", type: "string", value: "file", help: "The certificate for --address." },
  "tls-private-key-file": { group: "Console", type: "string", value: "file", help: "The key of that certificate." },
  help: { group: "Help", type: "boolean", help: "Show this text." },
});
