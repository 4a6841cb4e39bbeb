import type { ResourceClaim } from "@coxswain/api/resource/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredResourceClaim = Stored<ResourceClaim, "spec" | "status">;
