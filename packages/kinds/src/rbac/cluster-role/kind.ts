import type { ClusterRole } from "@coxswain/api/rbac/v1";
import { builtInKind } from "../../built-in-kind.js";
import { createdAtColumns } from "../../created-at-columns.js";
import type { Stored } from "../../stored.js";
import { checkClusterRole, checkClusterRoleUpdate } from "./validation.js";

export type StoredClusterRole = Stored<ClusterRole>;

export const clusterRoleKind = builtInKind<StoredClusterRole>("rbac.authorization.k8s.io", "v1", "clusterroles", {
  strategy: {
    resetFields: [],
    validateCreate: (role) => checkClusterRole(role),
    validateUpdate: checkClusterRoleUpdate,
    allowCreateOnUpdate: true,
  },
  views: {},
  columns: createdAtColumns,
});
