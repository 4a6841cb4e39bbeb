import type { SelfSubjectRulesReview } from "@coxswain/api/authorization/v1";
import { encodeJson, walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { badRequest } from "@coxswain/apimachinery/status";
import { encodedObject } from "../../cache/encoded-object.js";
import { decodePosted } from "../../endpoints/decode/decode-posted.js";
import { readWriteOptions } from "../../endpoints/write-options.js";
import type { RegistryHandler } from "../contract/registry-deps.js";
import { admitReview } from "./admit-review.js";

/** What may I do here? (`kubectl auth can-i --list`) The answer repeats nothing of the question. */
export const handleSelfSubjectRulesReview: RegistryHandler = async (deps, context, target) => {
  const { kind } = target;
  const options = readWriteOptions(context, "CreateOptions");
  const review = (await decodePosted(deps, context, {
    kind,
    namespace: "",
    validation: options.fieldValidation,
  })) as SelfSubjectRulesReview & KubernetesObject;
  await admitReview(deps, context, target, options, review);
  const { spec } = review;
  if (!spec.namespace) throw badRequest("no namespace on request");
  const { resourceRules, nonResourceRules, incomplete, error } = deps.rulesOf(context.user, spec.namespace);
  const status = {
    resourceRules,
    nonResourceRules,
    incomplete,
    ...(error === undefined ? {} : { evaluationError: error }),
  };
  const object = walk(
    { kind: kind.kind, apiVersion: "authorization.k8s.io/v1", metadata: {}, spec: {}, status },
    kind.schema,
  );
  return { as: "object", code: 201, kind, object: encodedObject(encodeJson(object, kind.schema)) };
};
