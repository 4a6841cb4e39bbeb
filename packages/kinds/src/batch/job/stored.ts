import type { Job } from "@coxswain/api/batch/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredJob = Stored<Job, "spec" | "status">;
