import { defineFlags } from "@coxswain/component/flags";
import { componentFlags } from "../component/component-flags.js";
import { concurrencyFlags } from "./concurrency-flags.js";
import { ignoredFlags } from "./ignored-flags.js";
import { keyFlags } from "./key-flags.js";
import { nodeIpamFlags } from "./node-ipam-flags.js";
import { recyclerFlags } from "./recycler-flags.js";
import { settingFlags } from "./setting-flags.js";

export const controllerManagerFlags = defineFlags({
  ...componentFlags,
  "secure-port": {
    group: "Serving",
    type: "integer",
    default: 10_257,
    min: 0,
    max: 65_535,
    value: "port",
    help: "The port for health, metrics and other pages; 0: none.",
  },
  "leader-elect-resource-name": {
    group: "Leader election",
    type: "string",
    default: "kube-controller-manager",
    value: "name",
    help: "The name of the lease.",
  },
  controllers: {
    group: "Controllers",
    type: "strings",
    default: ["*"],
    value: "name,…",
    help: "'*' for all that run by default, 'name' for one more, '-name' for one less.",
  },
  "use-service-account-credentials": {
    group: "Controllers",
    type: "boolean",
    help: "Let each controller work as a service account of its own, with the rights that RBAC gives it.",
  },
  "root-ca-file": {
    group: "Controllers",
    type: "string",
    value: "file",
    help: "The authority of the API server, for the ConfigMap kube-root-ca.crt of every namespace.",
  },
  ...keyFlags,
  ...nodeIpamFlags,
  ...settingFlags,
  ...recyclerFlags,
  ...ignoredFlags,
  ...concurrencyFlags,
});
