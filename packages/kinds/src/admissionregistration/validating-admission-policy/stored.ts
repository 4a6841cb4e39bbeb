import type { ValidatingAdmissionPolicy } from "@coxswain/api/admissionregistration/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredValidatingAdmissionPolicy = Stored<ValidatingAdmissionPolicy, "spec" | "status">;
