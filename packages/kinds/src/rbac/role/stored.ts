import type { Role } from "@coxswain/api/rbac/v1";
import type { Stored } from "../../stored.js";

export type StoredRole = Stored<Role>;
