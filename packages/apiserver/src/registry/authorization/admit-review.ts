import type { KubernetesObject } from "@coxswain/apimachinery/meta";
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
  const { kind, namespace, name } = target;
  const attributes = {
    operation: "CREATE",
    kind,
    subresource: "",
    namespace,
    name,
    object: review,
    old: undefined,
    user: context.user,
    dryRun: options.dryRun,
    request: writeScope(context, target, options),
  } as const;
  await deps.admission.admit(attributes);
  await deps.admission.validate(attributes);
}
