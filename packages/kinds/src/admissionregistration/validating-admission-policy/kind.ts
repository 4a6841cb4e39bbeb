import { builtInKind } from "../../built-in/built-in-kind.js";
import { countGeneration, keep, keepMetadata } from "../../definition/keep.js";
import { policyColumns } from "../columns.js";
import { admissionTypeDefaults } from "../defaults.js";
import { checkNameIsFree, reservedNameWarnings, reservedNameWarningsOfNew } from "../reserved-name.js";
import type { StoredValidatingAdmissionPolicy } from "./stored.js";
import { checkValidatingAdmissionPolicy, checkValidatingAdmissionPolicyStatus } from "./validation.js";

export type { StoredValidatingAdmissionPolicy };

export const validatingAdmissionPolicyKind = builtInKind<StoredValidatingAdmissionPolicy>(
  "admissionregistration.k8s.io",
  "v1",
  "validatingadmissionpolicies",
  {
    setDefaults({ spec }) {
      spec.failurePolicy ??= "Fail";
    },
    typeDefaults: admissionTypeDefaults,
    strategy: {
      resetFields: [["status"]],
      prepareForCreate(policy) {
        policy.status = {};
        policy.metadata.generation = 1;
      },
      *validateCreate(policy, context) {
        const errors = yield* checkValidatingAdmissionPolicy(policy, undefined, context);
        return [...errors, ...checkNameIsFree(policy, context)];
      },
      warningsOnCreate: reservedNameWarningsOfNew,
      prepareForUpdate(policy, old) {
        keep(policy, old, "status");
        countGeneration(policy, old, "spec");
      },
      validateUpdate: checkValidatingAdmissionPolicy,
      warningsOnUpdate: reservedNameWarnings,
      allowUnconditionalUpdate: false,
    },
    views: {
      status: {
        resetFields: [["spec"], ["metadata"]],
        prepareForUpdate(policy, old) {
          keep(policy, old, "spec");
          keepMetadata(policy, old);
        },
        validateUpdate: checkValidatingAdmissionPolicyStatus,
        warningsOnUpdate: reservedNameWarnings,
      },
    },
    columns: policyColumns("Validations", "How many rules it has.", ({ spec }) => (spec.validations ?? []).length),
  },
);
