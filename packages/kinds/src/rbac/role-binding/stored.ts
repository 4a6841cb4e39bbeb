import type { RoleBinding } from "@coxswain/api/rbac/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredRoleBinding = Stored<RoleBinding>;
