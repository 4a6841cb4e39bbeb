import type { PriorityLevelConfiguration } from "@coxswain/api/flowcontrol/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredPriorityLevelConfiguration = Stored<PriorityLevelConfiguration, "spec" | "status">;
