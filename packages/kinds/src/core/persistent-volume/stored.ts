import type { PersistentVolume } from "@coxswain/api/core/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredPersistentVolume = Stored<PersistentVolume, "spec" | "status">;
