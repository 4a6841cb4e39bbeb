import { builtInKind } from "../../built-in/built-in-kind.js";
import { podSpecDefaults } from "../../pod-spec/defaults.js";
import { statefulSetColumns } from "./columns.js";
import { setClaimTemplateDefaults, setStatefulSetDefaults } from "./defaults.js";
import type { StoredStatefulSet } from "./stored.js";
import { statefulSetStatusStrategy, statefulSetStrategy } from "./strategy.js";

export type { StoredStatefulSet };

export const statefulSetKind = builtInKind<StoredStatefulSet>("apps", "v1", "statefulsets", {
  setDefaults: setStatefulSetDefaults,
  typeDefaults: { ...podSpecDefaults, "io.k8s.api.core.v1.PersistentVolumeClaim": setClaimTemplateDefaults },
  // Upstream looks at the templates of pods, not at those of claims.
  ownGates: ["CrossNamespaceVolumeDataSource"],
  strategy: statefulSetStrategy,
  views: { status: statefulSetStatusStrategy },
  columns: statefulSetColumns,
});
