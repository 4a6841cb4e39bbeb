import { builtInKind } from "../../built-in/built-in-kind.js";
import { webhookConfigurationBehaviour } from "../webhook-configuration.js";

export const mutatingWebhookConfigurationKind = builtInKind(
  "admissionregistration.k8s.io",
  "v1",
  "mutatingwebhookconfigurations",
  webhookConfigurationBehaviour,
);
