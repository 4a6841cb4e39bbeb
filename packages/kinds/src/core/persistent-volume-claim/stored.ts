import type { PersistentVolumeClaim } from "@coxswain/api/core/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredPersistentVolumeClaim = Stored<PersistentVolumeClaim, "spec" | "status">;
