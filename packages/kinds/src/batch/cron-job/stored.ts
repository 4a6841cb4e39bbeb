import type { CronJob } from "@coxswain/api/batch/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredCronJob = Stored<CronJob, "spec" | "status">;
