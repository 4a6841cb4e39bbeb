import type { LimitRange } from "@coxswain/api/core/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredLimitRange = Stored<LimitRange, "spec">;
