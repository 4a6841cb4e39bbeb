import { timeout } from "@coxswain/apimachinery/status";
import type { AdmissionAttributes, AdmissionPlugin } from "../admission.js";
import { isExempt } from "../matching/rules.js";
import { createWriteVersions } from "../matching/versioned-write.js";
import { type AskedWebhook, callWebhook } from "./call-webhook.js";
import type { ConfiguredWebhook } from "./configured-webhooks.js";
import { measuredCall } from "./measured-call.js";
import { conditionsHold, inVersion, invocationOf } from "./should-call.js";
import type { WebhookPluginDeps } from "./webhook-deps.js";

/** Asks all webhooks at once; each of them may refuse. */
export function createValidatingWebhooks(deps: WebhookPluginDeps): AdmissionPlugin {
  return {
    name: "ValidatingAdmissionWebhook",
    operations: ["CREATE", "UPDATE", "DELETE", "CONNECT"],
    validate(attributes) {
      const webhooks = deps.webhooks();
      if (webhooks.length === 0 || isExempt(attributes.kind)) return undefined;
      return validate(deps, attributes, webhooks);
    },
    stop: () => deps.clients.stop(),
  };
}

async function validate(
  deps: WebhookPluginDeps,
  attributes: AdmissionAttributes,
  webhooks: readonly ConfiguredWebhook[],
): Promise<void> {
  const versions = createWriteVersions(attributes, deps.equivalents);
  const asked: AskedWebhook[] = [];
  for (const webhook of webhooks) {
    const invocation = invocationOf(deps, webhook, attributes);
    if (invocation && (await conditionsHold(deps, webhook, attributes, { invocation, versions })))
      asked.push({ spec: webhook.spec, invocation, write: await inVersion(versions, invocation) });
  }
  if (asked.length === 0) return;
  if (attributes.request?.signal?.aborted) throw timeout("request did not complete within requested timeout");
  let refusal: { readonly error: unknown } | undefined;
  await Promise.all(
    asked.map(async (one, index) => {
      const end = await measuredCall(deps, attributes, one.spec, () => callWebhook(deps, attributes, one));
      if (end.as === "refused") refusal ??= end; // the first refusal is the answer
      if (end.as !== "failed open" || end.isCanceled) return;
      const key = `failed-open.validating.webhook.admission.k8s.io/round_0_index_${index}`;
      attributes.request?.annotate(key, one.spec.name);
    }),
  );
  if (refusal) throw refusal.error;
}
