import type { ServiceAccount } from "@coxswain/api/core/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredServiceAccount = Stored<ServiceAccount>;
