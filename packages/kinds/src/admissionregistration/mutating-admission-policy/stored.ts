import type { MutatingAdmissionPolicy } from "@coxswain/api/admissionregistration/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredMutatingAdmissionPolicy = Stored<MutatingAdmissionPolicy, "spec">;
