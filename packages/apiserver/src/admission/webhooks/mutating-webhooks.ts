import { fieldErrorsText, fieldPath } from "@coxswain/apimachinery/field";
import { stringifyJson } from "@coxswain/apimachinery/json";
import { findInvalidEntry, invalidAfterAdmission } from "@coxswain/apimachinery/managed-fields";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { internalError, isStatusError, timeout } from "@coxswain/apimachinery/status";
import { validateManagedFields } from "@coxswain/apimachinery/validation";
import type { AdmissionAttributes, AdmissionPlugin } from "../admission.js";
import type { Invocation } from "../matching/find-invocation.js";
import { isExempt } from "../matching/rules.js";
import { createWriteVersions, type WriteVersions } from "../matching/versioned-write.js";
import { createReinvocations } from "../reinvocations.js";
import { callWebhook } from "./call-webhook.js";
import type { ConfiguredWebhook } from "./configured-webhooks.js";
import { measuredCall } from "./measured-call.js";
import { patchObject, readPatch } from "./patch-object.js";
import { conditionsHold, inVersion, invocationOf } from "./should-call.js";
import type { WebhookPluginDeps } from "./webhook-deps.js";
import { CallFailure, Rejection } from "./webhook-failure.js";

/** Both runs of one write share theirs. */
const reinvocationsOf = createReinvocations();

/** Asks webhooks one after the other; each sees what those before it changed. */
export function createMutatingWebhooks(deps: WebhookPluginDeps): AdmissionPlugin {
  return {
    name: "MutatingAdmissionWebhook",
    operations: ["CREATE", "UPDATE", "DELETE", "CONNECT"],
    admit(attributes) {
      const webhooks = deps.webhooks();
      if (webhooks.length === 0 || isExempt(attributes.kind)) return undefined;
      return admit(deps, attributes, webhooks);
    },
    stop: () => deps.clients.stop(),
  };
}

async function admit(
  deps: WebhookPluginDeps,
  attributes: AdmissionAttributes,
  webhooks: readonly ConfiguredWebhook[],
): Promise<void> {
  const runs = (attributes.reinvocation ??= { isSecondRun: false, isNeeded: false });
  const reinvocations = reinvocationsOf(attributes);
  if (runs.isSecondRun && reinvocations.isChangedSince(attributes.object)) reinvocations.requireInvoked();
  const versions = createWriteVersions(attributes, deps.equivalents);
  const owners = attributes.object?.metadata?.managedFields;
  try {
    for (const [index, webhook] of webhooks.entries()) {
      const invocation = invocationOf(deps, webhook, attributes);
      if (!invocation || !(await conditionsHold(deps, webhook, attributes, { invocation, versions }))) continue;
      // Nobody is asked for the first time in the second run.
      if (runs.isSecondRun && !reinvocations.isWanted(webhook.uid)) continue;
      const isChanged = await ask(deps, attributes, { webhook, invocation, versions, index });
      if (isChanged) {
        reinvocations.requireInvoked();
        runs.isNeeded = true;
      }
      if (webhook.spec.reinvocationPolicy === "IfNeeded") reinvocations.addInvoked(webhook.uid);
    }
    restoreOwners(attributes, owners);
  } finally {
    reinvocations.setLastOutput(attributes.object);
  }
}

type Owners = KubernetesObject["metadata"]["managedFields"];

/** Managed fields were counted before: a webhook may change them, but not to what cannot be read. */
function restoreOwners({ object, request }: AdmissionAttributes, before: Owners): void {
  const after = object?.metadata?.managedFields;
  if (!object || !after || after === before) return;
  const problem = problemOf(after);
  if (problem === undefined) return;
  if (before) object.metadata.managedFields = before;
  else delete object.metadata.managedFields;
  request?.warn(invalidAfterAdmission(problem));
}

/** The first thing that is wrong, in upstream's words (apiserver pkg/endpoints/handlers/fieldmanager/admission.go, Admit). */
const problemOf = (entries: NonNullable<Owners>): string | undefined =>
  findInvalidEntry(entries) ?? fieldErrorsText(validateManagedFields(entries, fieldPath("metadata", "managedFields")));

interface Asked {
  readonly webhook: ConfiguredWebhook;
  readonly invocation: Invocation;
  readonly versions: WriteVersions;
  /** Among all webhooks. */
  readonly index: number;
}

/** @returns whether the object is another now */
async function ask(deps: WebhookPluginDeps, attributes: AdmissionAttributes, asked: Asked): Promise<boolean> {
  const { webhook, index } = asked;
  const { request } = attributes;
  const { configuration, spec } = webhook;
  const place = `round_${attributes.reinvocation?.isSecondRun ? 1 : 0}_index_${index}`;
  let mutated = false;
  const end = await measuredCall(deps, attributes, spec, async () => {
    const patch = await call(deps, attributes, asked);
    mutated = patch?.isChanged ?? false;
    if (patch) {
      const annotation = { configuration, webhook: spec.name, patch: patch.operations, patchType: "JSONPatch" };
      request?.annotate(`patch.webhook.admission.k8s.io/${place}`, stringifyJson(annotation), "Request");
    }
  });
  request?.annotate(
    `mutation.webhook.admission.k8s.io/${place}`,
    stringifyJson({ configuration, webhook: spec.name, mutated }),
  );
  if (end.as === "refused") throw end.error;
  if (end.as === "failed open") {
    if (end.isCanceled) throw timeout("request did not complete within requested timeout");
    request?.annotate(`failed-open.mutation.webhook.admission.k8s.io/${place}`, spec.name);
  }
  return mutated;
}

/** Asks the webhook and applies its patch. Undefined: it has none. */
async function call(
  deps: WebhookPluginDeps,
  attributes: AdmissionAttributes,
  { webhook: { spec }, invocation, versions }: Asked,
): Promise<{ readonly operations: readonly unknown[]; readonly isChanged: boolean } | undefined> {
  const { name } = spec;
  const write = await inVersion(versions, invocation);
  const { patch, patchType, status } = await callWebhook(deps, attributes, { spec, invocation, write });
  if (patch.length === 0) return undefined;
  let operations: readonly unknown[];
  try {
    operations = readPatch(patch);
  } catch (cause) {
    const reason = `received undecodable patch in webhook response: ${(cause as Error).message}`;
    throw new CallFailure(name, reason, { code: 503, cause });
  }
  if (operations.length === 0) return undefined;
  if (!write.object) {
    const why = `admission webhook ${JSON.stringify(name)} attempted to modify the object, which is not supported for this operation`;
    throw internalError(why);
  }
  if (patchType !== "JSONPatch") {
    const { code } = new Rejection(name, status as ConstructorParameters<typeof Rejection>[1]).refusal.status;
    throw new CallFailure(name, `unsupported patch type ${JSON.stringify(patchType)}`, { code });
  }
  const json = patchObject(write.object, operations);
  try {
    return { operations, isChanged: await versions.replace(invocation.kind, json) };
  } catch (cause) {
    if (isStatusError(cause)) throw cause;
    throw internalError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
