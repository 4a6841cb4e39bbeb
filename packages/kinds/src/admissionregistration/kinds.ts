import type { AnyKind } from "../definition/kind-definition.js";
import { mutatingAdmissionPolicyKind } from "./mutating-admission-policy/kind.js";
import { mutatingAdmissionPolicyBindingKind } from "./mutating-admission-policy-binding/kind.js";
import { mutatingWebhookConfigurationKind } from "./mutating-webhook-configuration/kind.js";
import { validatingAdmissionPolicyKind } from "./validating-admission-policy/kind.js";
import { validatingAdmissionPolicyBindingKind } from "./validating-admission-policy-binding/kind.js";
import { validatingWebhookConfigurationKind } from "./validating-webhook-configuration/kind.js";

export const admissionregistrationKinds: readonly AnyKind[] = [
  mutatingAdmissionPolicyKind,
  mutatingAdmissionPolicyBindingKind,
  mutatingWebhookConfigurationKind,
  validatingAdmissionPolicyKind,
  validatingAdmissionPolicyBindingKind,
  validatingWebhookConfigurationKind,
];
