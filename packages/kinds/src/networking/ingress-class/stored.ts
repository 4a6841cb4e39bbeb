import type { IngressClass } from "@coxswain/api/networking/v1";
import type { Stored } from "../../stored.js";

export type StoredIngressClass = Stored<IngressClass, "spec">;
