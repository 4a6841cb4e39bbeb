import type {
  MatchResources,
  MutatingWebhook,
  Rule,
  ServiceReference,
  ValidatingWebhook,
} from "@coxswain/api/admissionregistration/v1";
import type { TypeDefaults } from "../defaults/type-defaults.js";

const setRuleDefaults = (rule: Rule): void => {
  rule.scope ??= "*";
};

function setSelectorDefaults(
  value: Pick<MatchResources, "matchPolicy" | "namespaceSelector" | "objectSelector">,
): void {
  value.matchPolicy ??= "Equivalent";
  value.namespaceSelector ??= {};
  value.objectSelector ??= {};
}

function setWebhookDefaults(webhook: ValidatingWebhook): void {
  webhook.failurePolicy ??= "Fail";
  setSelectorDefaults(webhook);
  webhook.timeoutSeconds ??= 10;
}

export const admissionTypeDefaults: TypeDefaults = {
  "io.k8s.api.admissionregistration.v1.RuleWithOperations": setRuleDefaults,
  "io.k8s.api.admissionregistration.v1.NamedRuleWithOperations": setRuleDefaults,
  "io.k8s.api.admissionregistration.v1.MatchResources": setSelectorDefaults,
  "io.k8s.api.admissionregistration.v1.ValidatingWebhook": setWebhookDefaults,
  "io.k8s.api.admissionregistration.v1.MutatingWebhook"(webhook: MutatingWebhook) {
    setWebhookDefaults(webhook);
    webhook.reinvocationPolicy ??= "Never";
  },
  "io.k8s.api.admissionregistration.v1.ServiceReference"(service: ServiceReference) {
    service.port ??= 443;
  },
};
