import type { CronJob } from "@coxswain/api/batch/v1";
import type { Stored } from "../../stored.js";

export type StoredCronJob = Stored<CronJob, "spec" | "status">;
