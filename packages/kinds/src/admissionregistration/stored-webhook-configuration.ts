import type { MutatingWebhook } from "@coxswain/api/admissionregistration/v1";

/** What both lists of webhooks have in common: all but the policy for calling one again. */
export interface StoredWebhookConfiguration {
  metadata: { name?: string; generation?: number; creationTimestamp?: string | null };
  webhooks?: (Omit<MutatingWebhook, "reinvocationPolicy"> & Partial<MutatingWebhook>)[];
}
