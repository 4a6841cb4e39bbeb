import type { PodDisruptionBudget } from "@coxswain/api/policy/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredPodDisruptionBudget = Stored<PodDisruptionBudget, "spec" | "status">;
