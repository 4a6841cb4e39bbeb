export { MemoryBudget, type MemoryBudgetOptions } from "./memory-budget.js";
