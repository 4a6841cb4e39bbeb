import type { ClusterRoleBinding } from "@coxswain/api/rbac/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredClusterRoleBinding = Stored<ClusterRoleBinding>;
