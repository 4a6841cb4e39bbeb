import type { ServiceCIDR } from "@coxswain/api/networking/v1";
import type { Stored } from "../../stored.js";

export type StoredServiceCidr = Stored<ServiceCIDR, "spec" | "status">;
