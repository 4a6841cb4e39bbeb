import type { IngressClass } from "@coxswain/api/networking/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredIngressClass = Stored<IngressClass, "spec">;
