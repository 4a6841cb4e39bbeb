import { countGeneration, keep } from "../../definition/keep.js";
import type { Strategy, UpdateStrategy } from "../../definition/strategy.js";
import type { StoredPodDisruptionBudget } from "./stored.js";
import {
  checkPodDisruptionBudget,
  checkPodDisruptionBudgetStatus,
  checkPodDisruptionBudgetUpdate,
} from "./validation.js";

export const podDisruptionBudgetStrategy: Strategy<StoredPodDisruptionBudget> = {
  resetFields: [["status"]],
  prepareForCreate(budget) {
    budget.status = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
    budget.metadata.generation = 1;
  },
  validateCreate: (budget) => checkPodDisruptionBudget(budget),
  prepareForUpdate(budget, old) {
    keep(budget, old, "status");
    countGeneration(budget, old, "spec");
  },
  validateUpdate: checkPodDisruptionBudgetUpdate,
  allowUnconditionalUpdate: false,
};

export const podDisruptionBudgetStatusStrategy: UpdateStrategy<StoredPodDisruptionBudget> = {
  resetFields: [["spec"]],
  prepareForUpdate: (budget, old) => keep(budget, old, "spec"),
  validateUpdate: checkPodDisruptionBudgetStatus,
};
