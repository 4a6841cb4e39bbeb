import { defineFlags } from "@coxswain/component/flags";

/** Which cluster is meant: the same for all commands about clusters. */
export const choiceFlags = defineFlags({
  name: {
    group: "Cluster",
    type: "string",
    default: "default",
    value: "name",
    help: "The cluster's name. Several run side by side; each has a folder below $COXSWAIN_HOME or ~/.coxswain.",
  },
  "data-dir": {
    group: "Cluster",
    type: "string",
    value: "dir",
    help: "The cluster's folder, instead of the one by its name.",
  },
});
