import { builtInKind } from "../../built-in/built-in-kind.js";
import { podSpecDefaults } from "../../pod-spec/defaults.js";
import { replicaSetColumns } from "./columns.js";
import type { StoredReplicaSet } from "./stored.js";
import { replicaSetStatusStrategy, replicaSetStrategy } from "./strategy.js";

export type { StoredReplicaSet };

export const replicaSetKind = builtInKind<StoredReplicaSet>("apps", "v1", "replicasets", {
  setDefaults: ({ spec }) => void (spec.replicas ??= 1),
  typeDefaults: podSpecDefaults,
  strategy: replicaSetStrategy,
  views: { status: replicaSetStatusStrategy },
  columns: replicaSetColumns,
});
