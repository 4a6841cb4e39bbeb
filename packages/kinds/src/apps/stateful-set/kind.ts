import type { StatefulSet } from "@coxswain/api/apps/v1";
import { builtInKind } from "../../built-in-kind.js";
import { podSpecDefaults } from "../../core/pod-spec/defaults.js";
import type { Stored } from "../../stored.js";
import { statefulSetColumns } from "./columns.js";
import { setClaimTemplateDefaults, setStatefulSetDefaults } from "./defaults.js";
import { statefulSetStatusStrategy, statefulSetStrategy } from "./strategy.js";

export type StoredStatefulSet = Stored<StatefulSet, "spec" | "status">;

export const statefulSetKind = builtInKind<StoredStatefulSet>("apps", "v1", "statefulsets", {
  setDefaults: setStatefulSetDefaults,
  typeDefaults: { ...podSpecDefaults, "io.k8s.api.core.v1.PersistentVolumeClaim": setClaimTemplateDefaults },
  // Upstream looks at the templates of pods, not at those of claims.
  ownGates: ["CrossNamespaceVolumeDataSource"],
  strategy: statefulSetStrategy,
  views: { status: statefulSetStatusStrategy },
  columns: statefulSetColumns,
});
