import { builtInKind } from "../../built-in/built-in-kind.js";
import { podDisruptionBudgetColumns } from "./columns.js";
import type { StoredPodDisruptionBudget } from "./stored.js";
import { podDisruptionBudgetStatusStrategy, podDisruptionBudgetStrategy } from "./strategy.js";

export type { StoredPodDisruptionBudget };

export const podDisruptionBudgetKind = builtInKind<StoredPodDisruptionBudget>("policy", "v1", "poddisruptionbudgets", {
  strategy: podDisruptionBudgetStrategy,
  views: { status: podDisruptionBudgetStatusStrategy },
  columns: podDisruptionBudgetColumns,
});
