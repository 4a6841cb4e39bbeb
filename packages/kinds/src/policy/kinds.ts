import type { AnyKind } from "../kind-definition.js";
import { podDisruptionBudgetKind } from "./pod-disruption-budget/kind.js";

export const policyKinds: readonly AnyKind[] = [podDisruptionBudgetKind];
