import { ownEntries } from "@coxswain/apimachinery/own";
import { checkLabelKey } from "@coxswain/apimachinery/validation";
import { randomUuid } from "@coxswain/runtime/random";
import { type WebhookClient, WebhookError } from "../../webhook/webhook-client.js";
import type { AdmissionAttributes, AdmissionRequest } from "../admission.js";
import type { Invocation } from "../matching/find-invocation.js";
import type { VersionedWrite } from "../matching/versioned-write.js";
import { chooseReviewVersion, type ReviewHead, reviewText } from "./admission-review.js";
import type { WebhookSpec } from "./configured-webhooks.js";
import { type AnsweredReview, readReview, type VerifiedResponse, verifyResponse } from "./review-response.js";
import type { WebhookPluginDeps } from "./webhook-deps.js";
import { CallFailure, dryRunUnsupported, Rejection } from "./webhook-failure.js";

export interface AskedWebhook {
  readonly spec: WebhookSpec;
  readonly invocation: Invocation;
  readonly write: VersionedWrite;
}

/**
 * Asks one webhook. Warnings and audit annotations of its answer are taken over, whatever it decides.
 * Rejects with a CallFailure, a Rejection, or a StatusError for what the server itself refuses.
 */
export async function callWebhook(
  deps: WebhookPluginDeps,
  attributes: AdmissionAttributes,
  { spec, invocation, write }: AskedWebhook,
): Promise<VerifiedResponse> {
  const { name, sideEffects } = spec;
  if (attributes.dryRun && sideEffects !== "None" && sideEffects !== "NoneOnDryRun") throw dryRunUnsupported(name);
  const review = chooseReviewVersion(spec.admissionReviewVersions);
  if (!review) {
    const reason =
      "could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)";
    throw new CallFailure(name, reason, { code: 400 });
  }
  const client = clientOf(deps, spec);
  const head = { review, uid: randomUuid(deps.runtime.random) };
  const answer = await post(client, attributes, spec, { head, text: reviewText(attributes, invocation, write, head) });
  const response = verified(answer, spec, { head, isMutating: deps.type === "admit" });
  const { request } = attributes;
  for (const [key, value] of ownEntries<string>(response.auditAnnotations)) annotate(request, `${name}/${key}`, value);
  for (const warning of response.warnings ?? []) request?.warn(warning);
  if (!response.allowed) throw new Rejection(name, response.status as ConstructorParameters<typeof Rejection>[1]);
  return response;
}

function clientOf({ clients }: WebhookPluginDeps, { name, clientConfig }: WebhookSpec): WebhookClient {
  try {
    return clients.clientFor(clientConfig);
  } catch (cause) {
    throw new CallFailure(name, `could not get REST client: ${(cause as Error).message}`, { code: 500, cause });
  }
}

async function post(
  client: WebhookClient,
  { request }: AdmissionAttributes,
  { name, timeoutSeconds }: WebhookSpec,
  { head, text }: { head: ReviewHead; text: string },
): Promise<AnsweredReview> {
  const signal = request?.signal;
  try {
    return (await client.post(text, signal, {
      ...(timeoutSeconds === undefined ? {} : { timeoutMs: timeoutSeconds * 1000 }),
      timeoutText: "context deadline exceeded",
      read: (answer) => readReview(answer, head),
    })) as AnsweredReview;
  } catch (cause) {
    const answered = cause instanceof WebhookError ? (cause.code ?? 0) : 0;
    throw new CallFailure(name, `failed to call webhook: ${(cause as Error).message}`, {
      code: answered >= 300 ? answered : 503,
      isCanceled: signal?.aborted ?? false,
      cause,
    });
  }
}

function verified(
  answer: AnsweredReview,
  { name }: WebhookSpec,
  { head, isMutating }: { head: ReviewHead; isMutating: boolean },
): VerifiedResponse {
  try {
    return verifyResponse(answer, head, isMutating);
  } catch (cause) {
    throw new CallFailure(name, `received invalid webhook response: ${(cause as Error).message}`, { code: 503, cause });
  }
}

/** Keys that the audit log would not take are dropped. */
function annotate(request: AdmissionRequest | undefined, key: string, value: string): void {
  if (checkLabelKey(key).length === 0) request?.annotate(key, value);
}
