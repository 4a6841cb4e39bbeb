import type { MutatingAdmissionPolicyBinding } from "@coxswain/api/admissionregistration/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredMutatingAdmissionPolicyBinding = Stored<MutatingAdmissionPolicyBinding, "spec">;
