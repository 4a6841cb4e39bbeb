import type { PriorityClass } from "@coxswain/api/scheduling/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredPriorityClass = Stored<PriorityClass>;
