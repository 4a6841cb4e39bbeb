import type { ReplicaSet } from "@coxswain/api/apps/v1";
import { builtInKind } from "../../built-in-kind.js";
import { podSpecDefaults } from "../../core/pod-spec/defaults.js";
import type { Stored } from "../../stored.js";
import { replicaSetColumns } from "./columns.js";
import { replicaSetStatusStrategy, replicaSetStrategy } from "./strategy.js";

export type StoredReplicaSet = Stored<ReplicaSet, "spec" | "status">;

export const replicaSetKind = builtInKind<StoredReplicaSet>("apps", "v1", "replicasets", {
  setDefaults: ({ spec }) => void (spec.replicas ??= 1),
  typeDefaults: podSpecDefaults,
  strategy: replicaSetStrategy,
  views: { status: replicaSetStatusStrategy },
  columns: replicaSetColumns,
});
