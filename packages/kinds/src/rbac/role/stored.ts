import type { Role } from "@coxswain/api/rbac/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredRole = Stored<Role>;
