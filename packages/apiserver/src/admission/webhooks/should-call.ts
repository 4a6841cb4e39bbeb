import { forbidden, internalError, isStatusError } from "@coxswain/apimachinery/status";
import type { AdmissionAttributes } from "../admission.js";
import { findInvocation, type Invocation } from "../matching/find-invocation.js";
import { evaluateConditions } from "../matching/match-conditions.js";
import { requestOptions } from "../matching/request-options.js";
import { requestedResource } from "../matching/requested-resource.js";
import { namespaceMatches, objectMatches } from "../matching/selectors.js";
import type { VersionedWrite, WriteVersions } from "../matching/versioned-write.js";
import { requestFacts } from "./admission-review.js";
import type { ConfiguredWebhook } from "./configured-webhooks.js";
import type { WebhookPluginDeps } from "./webhook-deps.js";

/** Whether selectors and rules lead a request to a webhook, and in which form. @throws StatusError where that cannot be found out */
export function invocationOf(
  { namespaces, equivalents }: Pick<WebhookPluginDeps, "namespaces" | "equivalents">,
  { spec, namespaceSelector, objectSelector }: ConfiguredWebhook,
  attributes: AdmissionAttributes,
): Invocation | undefined {
  const inNamespace = namespaceMatches(namespaceSelector, attributes, namespaces);
  if (inNamespace === false || !objectMatches(objectSelector, attributes)) return undefined;
  const invocation = findInvocation(spec, requestedResource(attributes), equivalents);
  // What is wrong counts only for webhooks whose rules match.
  if (invocation && isStatusError(inNamespace)) throw inNamespace;
  return invocation;
}

/** Whether the match conditions of a webhook hold. @throws StatusError where that is not known and the failure policy is Fail */
export async function conditionsHold(
  { type, metrics, runtime: { ioClock } }: WebhookPluginDeps,
  { spec, conditions }: ConfiguredWebhook,
  attributes: AdmissionAttributes,
  { invocation, versions }: { invocation: Invocation; versions: WriteVersions },
): Promise<boolean> {
  if (!conditions) return true;
  const write = await inVersion(versions, invocation);
  const began = ioClock.monotonic();
  const asked = { ...invocation, resource: requestedResource(attributes).resource };
  const { dryRun, user } = attributes;
  const facts = { ...requestFacts(attributes, asked), dryRun, options: requestOptions(attributes) };
  const input = { object: write.object, old: write.old, request: facts, user };
  const { matches, errors, error } = await evaluateConditions(conditions, input, spec.failurePolicy);
  const call = { name: spec.name, type, operation: attributes.operation };
  metrics.evaluated(call, {
    ms: ioClock.monotonic() - began,
    errors,
    excluded: !matches && error === undefined,
  });
  if (error === undefined) return matches;
  const { group, resource } = asked.resource;
  throw forbidden({ group, resource }, attributes.name, error);
}

/** @throws StatusError 500 where an object cannot be converted */
export const inVersion = (versions: WriteVersions, { kind }: Invocation): Promise<VersionedWrite> =>
  versions.in(kind).catch((err: unknown) => {
    throw internalError(err instanceof Error ? err.message : String(err), { cause: err });
  });
