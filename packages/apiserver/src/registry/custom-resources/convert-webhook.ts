import { quoteGo } from "@coxswain/apimachinery/field";
import type { CallConversionWebhook } from "@coxswain/kinds/custom-resources";
import type { HookClients } from "../../webhook/hook-clients.js";
import { type ExpectedAnswer, type RawAnswer, readAnswer } from "../../webhook/webhook-answer.js";

/** What upstream's client can read. */
const versions = ["apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"];
/** Where upstream's code makes the list of types that it reads answers with: error messages name it. */
const scheme = "pkg/runtime/scheme.go:111";

/** Posts ConversionReviews to the webhooks of definitions, with upstream's time limit of 30 seconds. */
export const createConversionCaller =
  (clients: HookClients): CallConversionWebhook =>
  async ({ clientConfig = {} }, review) =>
    clients.clientFor(clientConfig).post(review, undefined, { read: readReview });

function readReview(answer: RawAnswer): unknown {
  const value = readAnswer(answer, undefined);
  const { kind, apiVersion } = (value ?? {}) as Partial<ExpectedAnswer>;
  if (kind && apiVersion && (kind !== "ConversionReview" || !versions.includes(apiVersion)))
    throw new Error(
      `no kind ${quoteGo(kind)} is registered for version ${quoteGo(apiVersion)} in scheme ${quoteGo(scheme)}`,
    );
  return value;
}
