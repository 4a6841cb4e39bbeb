import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { attributesOf } from "../../objects/admission-attributes.js";
import type { RegistryDeps } from "../registry-deps.js";
import type { RequestContext } from "../../request/request-context.js";
import type { Target } from "../../endpoints/target.js";
import type { WriteOptions } from "../../endpoints/write-options.js";
import { writeScope } from "../../endpoints/write-scope.js";

/** A review is kept nowhere, and admitted all the same: whoever may create nothing may ask nothing. */
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
