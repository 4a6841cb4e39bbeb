import type { TokenReview } from "@coxswain/api/authentication/v1";
import { encodeJson, walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { badRequest } from "@coxswain/apimachinery/status";
import { encodedObject } from "../../cache/encoded-object.js";
import { decodePosted } from "../../endpoints/decode/decode-posted.js";
import { readWriteOptions } from "../../endpoints/write-options.js";
import { writeScope } from "../../endpoints/write-scope.js";
import { trackManagedFields } from "../../objects/managed-fields.js";
import { admitReview } from "../authorization/admit-review.js";
import type { RegistryHandler } from "../contract/registry-deps.js";

/** Whose token is this? For servers that trust this one. */
export const handleTokenReview: RegistryHandler = async (deps, context, target) => {
  const { kind } = target;
  const options = readWriteOptions(context, "CreateOptions");
  const sent = (await decodePosted(deps, context, {
    kind,
    namespace: "",
    validation: options.fieldValidation,
  })) as TokenReview & KubernetesObject;
  const scope = writeScope(context, target, options);
  const review = (await trackManagedFields({ deps, scope, live: undefined, next: sent })) as typeof sent;
  await admitReview(deps, context, target, options, review);
  const { token = "", audiences = [] } = review.spec;
  if (token === "") throw badRequest("token is required for TokenReview in authentication");
  const object = walk({ ...review, status: await statusOf(token, audiences) }, kind.schema);
  return { as: "object", code: 201, kind, object: encodedObject(encodeJson(object, kind.schema)) };

  async function statusOf(asked: string, wanted: readonly string[]): Promise<object> {
    const verdict = await deps.reviewToken(asked, wanted);
    const { authenticated: _authenticated, ...given } = review.status ?? {};
    // The token authenticates nobody: what the client sent stays.
    if ("error" in verdict) return { user: {}, ...given, ...(verdict.error === "" ? {} : { error: verdict.error }) };
    const { name, uid, groups, extra } = verdict.user;
    const user = {
      username: name,
      ...(uid === undefined ? {} : { uid }),
      groups,
      ...(extra === undefined ? {} : { extra }),
    };
    return { ...given, authenticated: true, user, ...(verdict.audiences ? { audiences: verdict.audiences } : {}) };
  }
};
