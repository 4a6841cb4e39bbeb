import type { ClusterRoleBinding } from "@coxswain/api/rbac/v1";
import type { Stored } from "../../stored.js";

export type StoredClusterRoleBinding = Stored<ClusterRoleBinding>;
