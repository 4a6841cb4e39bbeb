import type { ValidatingAdmissionPolicyBinding } from "@coxswain/api/admissionregistration/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredValidatingAdmissionPolicyBinding = Stored<ValidatingAdmissionPolicyBinding, "spec">;
