import { builtInKind } from "../../built-in/built-in-kind.js";
import { podSpecDefaults } from "../../pod-spec/defaults.js";
import { podColumns } from "./columns.js";
import { setPodDefaults } from "./defaults.js";
import type { StoredPod } from "./stored.js";
import { podStatusStrategy, podStrategy } from "./strategy.js";
import { ephemeralContainersStrategy, resizeStrategy } from "./subresources.js";

export { qosClass } from "@coxswain/api/pods";
export type { StoredPod };

export const podKind = builtInKind<StoredPod>("", "v1", "pods", {
  setDefaults: setPodDefaults,
  typeDefaults: podSpecDefaults,
  // Upstream looks at the containers of the spec (disabled-fields.ts), not at their statuses, and not at the claims of ephemeral volumes.
  ownGates: ["ContainerStopSignals", "CrossNamespaceVolumeDataSource"],
  strategy: podStrategy,
  views: { status: podStatusStrategy, ephemeralcontainers: ephemeralContainersStrategy, resize: resizeStrategy },
  columns: podColumns,
  selectableValues: ({ spec, status }) => ({
    "spec.nodeName": spec.nodeName ?? "",
    "spec.restartPolicy": spec.restartPolicy ?? "",
    "spec.schedulerName": spec.schedulerName ?? "",
    "spec.serviceAccountName": spec.serviceAccountName ?? "",
    "spec.hostNetwork": String(spec.hostNetwork ?? false),
    "status.phase": status.phase ?? "",
    "status.podIP": status.podIPs?.[0]?.ip ?? "",
    "status.nominatedNodeName": status.nominatedNodeName ?? "",
  }),
  indexedField: "spec.nodeName",
  returnsDeletedObject: true,
});
