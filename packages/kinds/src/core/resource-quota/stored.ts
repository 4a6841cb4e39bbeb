import type { ResourceQuota } from "@coxswain/api/core/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredResourceQuota = Stored<ResourceQuota, "spec" | "status">;
