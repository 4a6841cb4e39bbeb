import type { APIService } from "@coxswain/api/apiregistration/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredApiService = Stored<APIService, "spec" | "status">;
