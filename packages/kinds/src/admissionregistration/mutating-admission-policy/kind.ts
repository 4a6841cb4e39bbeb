import { builtInKind } from "../../built-in/built-in-kind.js";
import { countGeneration } from "../../definition/keep.js";
import { policyColumns } from "../columns.js";
import { admissionTypeDefaults } from "../defaults.js";
import { checkNameIsFree, reservedNameWarnings, reservedNameWarningsOfNew } from "../reserved-name.js";
import type { StoredMutatingAdmissionPolicy } from "./stored.js";
import { checkMutatingAdmissionPolicy } from "./validation.js";

export type { StoredMutatingAdmissionPolicy };

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
      *validateCreate(policy, context) {
        const errors = yield* checkMutatingAdmissionPolicy(policy, undefined, context);
        return [...errors, ...checkNameIsFree(policy, context)];
      },
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
