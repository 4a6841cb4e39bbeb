import type { PodDisruptionBudget } from "@coxswain/api/policy/v1";
import { builtInKind } from "../../built-in-kind.js";
import type { Stored } from "../../stored.js";
import { podDisruptionBudgetColumns } from "./columns.js";
import { podDisruptionBudgetStatusStrategy, podDisruptionBudgetStrategy } from "./strategy.js";

export type StoredPodDisruptionBudget = Stored<PodDisruptionBudget, "spec" | "status">;

export const podDisruptionBudgetKind = builtInKind<StoredPodDisruptionBudget>("policy", "v1", "poddisruptionbudgets", {
  strategy: podDisruptionBudgetStrategy,
  views: { status: podDisruptionBudgetStatusStrategy },
  columns: podDisruptionBudgetColumns,
});
