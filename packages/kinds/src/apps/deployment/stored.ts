import type { Deployment } from "@coxswain/api/apps/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredDeployment = Stored<Deployment, "spec" | "status">;
