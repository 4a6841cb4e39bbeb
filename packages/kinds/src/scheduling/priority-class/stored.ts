import type { PriorityClass } from "@coxswain/api/scheduling/v1";
import type { Stored } from "../../stored.js";

export type StoredPriorityClass = Stored<PriorityClass>;
