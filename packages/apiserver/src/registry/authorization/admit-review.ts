import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { Target } from "../../endpoints/target.js";
import type { WriteOptions } from "../../endpoints/write-options.js";
import { writeScope } from "../../endpoints/write-scope.js";
import { attributesOf } from "../../objects/admission-attributes.js";
import type { RequestContext } from "../../request/request-context.js";
import type { RegistryDeps } from "../contract/registry-deps.js";

/** A review is not stored, but it passes admission all the same: a user that may not create anything may not ask anything either. */
export async function admitReview(
  deps: RegistryDeps,
  context: RequestContext,
  target: Target,
  options: WriteOptions,
  review: KubernetesObject,
): Promise<void> {
  const attributes = attributesOf(writeScope(context, target, options), { operation: "CREATE", object: review });
  await deps.admission.admit(attributes);
  await deps.admission.validate(attributes);
}
