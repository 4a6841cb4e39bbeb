import { defineFlags } from "@coxswain/component/flags";
import { componentFlags } from "../component/component-flags.js";

export const schedulerFlags = defineFlags({
  ...componentFlags,
  config: {
    group: "Scheduler",
    type: "string",
    value: "file",
    help: "A KubeSchedulerConfiguration: profiles, plugins, extenders; its leader election and connection settings win.",
  },
  "secure-port": {
    group: "Serving",
    type: "integer",
    default: 10_259,
    min: 0,
    max: 65_535,
    value: "port",
    help: "The port for health, metrics and other pages; 0: none.",
  },
  "leader-elect-resource-name": {
    group: "Leader election",
    type: "string",
    default: "kube-scheduler",
    value: "name",
    help: "The name of the lease.",
  },
});
