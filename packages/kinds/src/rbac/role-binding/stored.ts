import type { RoleBinding } from "@coxswain/api/rbac/v1";
import type { Stored } from "../../stored.js";

export type StoredRoleBinding = Stored<RoleBinding>;
