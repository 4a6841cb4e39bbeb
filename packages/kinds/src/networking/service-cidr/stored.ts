import type { ServiceCIDR } from "@coxswain/api/networking/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredServiceCidr = Stored<ServiceCIDR, "spec" | "status">;
