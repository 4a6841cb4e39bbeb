import type { DaemonSet } from "@coxswain/api/apps/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredDaemonSet = Stored<DaemonSet, "spec" | "status">;
