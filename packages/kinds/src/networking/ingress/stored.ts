import type { Ingress } from "@coxswain/api/networking/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredIngress = Stored<Ingress, "spec" | "status">;
