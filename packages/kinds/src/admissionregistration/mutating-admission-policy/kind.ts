import type { MutatingAdmissionPolicy } from "@coxswain/api/admissionregistration/v1";
import { builtInKind } from "../../built-in-kind.js";
import { countGeneration } from "../../keep.js";
import type { Stored } from "../../stored.js";
import { policyColumns } from "../columns.js";
import { admissionTypeDefaults } from "../defaults.js";
import { checkNameIsFree, reservedNameWarnings, reservedNameWarningsOfNew } from "../reserved-name.js";
import { checkMutatingAdmissionPolicy } from "./validation.js";

export type StoredMutatingAdmissionPolicy = Stored<MutatingAdmissionPolicy, "spec">;

export const mutatingAdmissionPolicyKind = builtInKind<StoredMutatingAdmissionPolicy>(
  "admissionregistration.k8s.io",
  "v1",
  "mutatingadmissionpolicies",
  {
    setDefaults({ spec }) {
      spec.failurePolicy ??= "Fail";
    },
    typeDefaults: admissionTypeDefaults,
    strategy: {
      resetFields: [],
      prepareForCreate(policy) {
        policy.metadata.generation = 1;
      },
      validateCreate: (policy, context) => [
        ...checkMutatingAdmissionPolicy(policy),
        ...checkNameIsFree(policy, context),
      ],
      warningsOnCreate: reservedNameWarningsOfNew,
      prepareForUpdate: (policy, old) => countGeneration(policy, old, "spec"),
      validateUpdate: checkMutatingAdmissionPolicy,
      warningsOnUpdate: reservedNameWarnings,
      allowUnconditionalUpdate: false,
    },
    views: {},
    columns: policyColumns("Mutations", "How many changes it makes.", ({ spec }) => (spec.mutations ?? []).length),
  },
);
