import type { Pod } from "@coxswain/api/core/v1";
import { builtInFacts } from "../../built-in-kind.js";
import { defineKind } from "../../kind-definition.js";
import type { Stored } from "../../stored.js";
import { podColumns } from "./columns.js";
import { podStatusStrategy, podStrategy } from "./strategy.js";

export type StoredPod = Stored<Pod, "spec" | "status">;

export const podKind = defineKind<StoredPod>({
  ...builtInFacts("", "v1", "pods"),
  strategy: podStrategy,
  views: { status: podStatusStrategy },
  columns: podColumns,
  selectableFields: {
    names: [
      "spec.nodeName",
      "spec.restartPolicy",
      "spec.schedulerName",
      "spec.serviceAccountName",
      "spec.hostNetwork",
      "status.phase",
      "status.podIP",
      "status.podIPs",
      "status.nominatedNodeName",
    ],
    values: ({ spec, status }) => ({
      "spec.nodeName": spec.nodeName ?? "",
      "spec.restartPolicy": spec.restartPolicy ?? "",
      "spec.schedulerName": spec.schedulerName ?? "",
      "spec.serviceAccountName": spec.serviceAccountName ?? "",
      "spec.hostNetwork": String(spec.hostNetwork ?? false),
      "status.phase": status.phase ?? "",
      "status.podIP": status.podIPs?.[0]?.ip ?? "",
      "status.nominatedNodeName": status.nominatedNodeName ?? "",
    }),
    convert: (field) => (field === "spec.host" ? "spec.nodeName" : undefined),
  },
  indexedField: "spec.nodeName",
  returnsDeletedObject: true,
});
