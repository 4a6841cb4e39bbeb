import type { ClusterRole } from "@coxswain/api/rbac/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredClusterRole = Stored<ClusterRole>;
