import type { Role } from "@coxswain/api/rbac/v1";
import { builtInKind } from "../../built-in-kind.js";
import { createdAtColumns } from "../../created-at-columns.js";
import type { Stored } from "../../stored.js";
import { checkRole, checkRoleUpdate } from "./validation.js";

export type StoredRole = Stored<Role>;

export const roleKind = builtInKind<StoredRole>("rbac.authorization.k8s.io", "v1", "roles", {
  strategy: { resetFields: [], validateCreate: checkRole, validateUpdate: checkRoleUpdate, allowCreateOnUpdate: true },
  views: {},
  columns: createdAtColumns,
});
