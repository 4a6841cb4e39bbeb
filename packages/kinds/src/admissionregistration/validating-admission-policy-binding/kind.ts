import type { DeepReadonly } from "@coxswain/api";
import type { ValidationAction } from "@coxswain/api/admissionregistration/v1";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalid,
  namedText,
  required,
} from "@coxswain/apimachinery/field";
import { builtInKind } from "../../built-in/built-in-kind.js";
import { checkOneOf } from "../../checks/field-errors.js";
import { checkPlainMeta } from "../../checks/object-meta.js";
import { repeatedPositions } from "../../checks/repeated-positions.js";
import { countGeneration } from "../../definition/keep.js";
import { checkBinding } from "../binding-validation.js";
import { bindingColumns } from "../columns.js";
import { admissionTypeDefaults } from "../defaults.js";
import { checkNameIsFree, reservedNameWarnings, reservedNameWarningsOfNew } from "../reserved-name.js";
import type { StoredValidatingAdmissionPolicyBinding } from "./stored.js";

export type { StoredValidatingAdmissionPolicyBinding };

const check = ({ metadata, spec }: DeepReadonly<StoredValidatingAdmissionPolicyBinding>): FieldError[] => [
  ...checkPlainMeta(metadata, { namespaced: false }),
  ...checkBinding(spec),
  ...checkActions(spec.validationActions ?? [], fieldPath("spec", "validationActions")),
];

function checkActions(actions: readonly ValidationAction[], path: FieldPath): FieldError[] {
  if (actions.length === 0) return [required(path, "at least one validation action is required")];
  const repeated = repeatedPositions(actions);
  const errors = actions.flatMap((action, at) => [
    ...checkOneOf(action, ["Audit", "Deny", "Warn"], path.index(at)),
    ...(repeated.has(at) ? [duplicate(path.index(at), namedText(action))] : []),
  ]);
  if (actions.includes("Deny") && actions.includes("Warn")) {
    errors.push(
      invalid(
        path,
        actions,
        "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)",
      ),
    );
  }
  return errors;
}

export const validatingAdmissionPolicyBindingKind = builtInKind<StoredValidatingAdmissionPolicyBinding>(
  "admissionregistration.k8s.io",
  "v1",
  "validatingadmissionpolicybindings",
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
