import { auditFlags } from "@coxswain/apiserver";
import { defineFlags } from "@coxswain/component/flags";
import { logFlags } from "../command/log-flags.js";
import { admissionFlags } from "./admission-flags.js";
import { aggregationFlags } from "./aggregation-flags.js";
import { apiFlags } from "./api-flags.js";
import { authenticationFlags } from "./authentication-flags.js";
import { authorizationFlags } from "./authorization-flags.js";
import { eventFlags } from "./event-flags.js";
import { historyFlags } from "./history-flags.js";
import { kubeletFlags } from "./kubelet-flags.js";
import { limitFlags } from "./limit-flags.js";
import { listeningFlags } from "./listening-flags.js";
import { observabilityFlags } from "./observability-flags.js";
import { serviceFlags } from "./service-flags.js";
import { shutdownFlags } from "./shutdown-flags.js";
import { storeFlags } from "./store-flags.js";

/** One file per area: its flags, and the function that makes the area's options from them. */
export const apiserverFlags = defineFlags({
  "data-dir": {
    group: "Server",
    type: "string",
    default: ".coxswain",
    value: "dir",
    help: "Where the cluster's data and its certificates are kept. Made at first start.",
  },
  config: {
    group: "Server",
    type: "string",
    value: "file",
    help: "A YAML file with flags as members, by their names. What stands on the command line comes first.",
  },
  "write-kubeconfig": {
    group: "Server",
    type: "string",
    value: "file",
    help: "Where to write a kubeconfig for an administrator once the server is ready. Default: kubeconfig in the data directory.",
  },
  ...listeningFlags,
  ...observabilityFlags,
  ...storeFlags,
  ...historyFlags,
  ...eventFlags,
  ...authorizationFlags,
  ...admissionFlags,
  ...authenticationFlags,
  ...auditFlags,
  ...limitFlags,
  ...serviceFlags,
  ...apiFlags,
  ...kubeletFlags,
  ...aggregationFlags,
  ...shutdownFlags,
  ...logFlags,
  help: { group: "Help", type: "boolean", help: "Show this text." },
});
