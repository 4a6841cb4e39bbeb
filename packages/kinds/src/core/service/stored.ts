import type { Service } from "@coxswain/api/core/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredService = Stored<Service, "spec" | "status">;
