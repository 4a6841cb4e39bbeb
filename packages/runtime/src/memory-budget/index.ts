export { type HeldMemory, MemoryBudget, type MemoryBudgetOptions } from "./memory-budget.js";
