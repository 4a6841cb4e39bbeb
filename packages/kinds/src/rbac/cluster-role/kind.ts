import { builtInKind } from "../../built-in/built-in-kind.js";
import { createdAtColumns } from "../../definition/created-at-columns.js";
import type { StoredClusterRole } from "./stored.js";
import { checkClusterRole, checkClusterRoleUpdate } from "./validation.js";

export type { StoredClusterRole };

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
