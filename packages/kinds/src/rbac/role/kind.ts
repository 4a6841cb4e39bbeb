import { builtInKind } from "../../built-in/built-in-kind.js";
import { createdAtColumns } from "../../definition/created-at-columns.js";
import type { StoredRole } from "./stored.js";
import { checkRole, checkRoleUpdate } from "./validation.js";

export type { StoredRole };

export const roleKind = builtInKind<StoredRole>("rbac.authorization.k8s.io", "v1", "roles", {
  strategy: { resetFields: [], validateCreate: checkRole, validateUpdate: checkRoleUpdate, allowCreateOnUpdate: true },
  views: {},
  columns: createdAtColumns,
});
