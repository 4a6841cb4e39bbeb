import type { DeepReadonly } from "@coxswain/api";
import { type FieldError, fieldPath } from "@coxswain/apimachinery/field";
import { builtInKind } from "../../built-in/built-in-kind.js";
import { checkPlainMeta } from "../../checks/object-meta.js";
import { countGeneration } from "../../definition/keep.js";
import { checkBinding } from "../binding-validation.js";
import { bindingColumns } from "../columns.js";
import { admissionTypeDefaults } from "../defaults.js";
import { checkNameIsFree, reservedNameWarnings, reservedNameWarningsOfNew } from "../reserved-name.js";
import { checkMutatingRules } from "../rule-validation.js";
import type { StoredMutatingAdmissionPolicyBinding } from "./stored.js";

export type { StoredMutatingAdmissionPolicyBinding };

const check = ({ metadata, spec }: DeepReadonly<StoredMutatingAdmissionPolicyBinding>): FieldError[] => [
  ...checkPlainMeta(metadata, { namespaced: false }),
  ...checkBinding(spec),
  ...checkMutatingRules(spec.matchResources?.resourceRules ?? [], fieldPath("spec", "matchResources", "resourceRules")),
];

export const mutatingAdmissionPolicyBindingKind = builtInKind<StoredMutatingAdmissionPolicyBinding>(
  "admissionregistration.k8s.io",
  "v1",
  "mutatingadmissionpolicybindings",
  {
    typeDefaults: admissionTypeDefaults,
    strategy: {
      resetFields: [],
      prepareForCreate(binding) {
        binding.metadata.generation = 1;
      },
      validateCreate: (binding, context) => [...check(binding), ...checkNameIsFree(binding, context)],
      warningsOnCreate: reservedNameWarningsOfNew,
      prepareForUpdate: (binding, old) => countGeneration(binding, old, "spec"),
      validateUpdate: check,
      warningsOnUpdate: reservedNameWarnings,
      allowUnconditionalUpdate: false,
    },
    views: {},
    columns: bindingColumns,
  },
);
