import type { Pod } from "@coxswain/api/core/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredPod = Stored<Pod, "spec" | "status">;
