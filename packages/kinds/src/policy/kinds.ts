import type { AnyKind } from "../definition/kind-definition.js";
import { podDisruptionBudgetKind } from "./pod-disruption-budget/kind.js";

export const policyKinds: readonly AnyKind[] = [podDisruptionBudgetKind];
