import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { conflict, notFound } from "@coxswain/apimachinery/status";
import type { Strategy } from "@coxswain/kinds";
import { objectKey } from "../cache/object-key.js";
import { resourceOf } from "../catalogue/resource-of.js";
import { attributesOf } from "./admission-attributes.js";
import type { ObjectDeps } from "./object-deps.js";
import { type DeleteOptions, planDeletion } from "./plan-deletion.js";
import { inOwnTypes } from "./server-scope.js";
import { strategyContext } from "./strategy-context.js";
import { type Current, type Decision, type Written, writeObject } from "./write-loop.js";
import type { WriteScope } from "./write-scope.js";

/**
 * Deletes an object, or marks it for those who must act first: its finalizers, the kubelet that ends its containers, the
 * controller that empties a namespace. `removed`: it is gone.
 */
export async function deleteObject(deps: ObjectDeps, given: WriteScope, options: DeleteOptions): Promise<Written> {
  const scope = inOwnTypes(deps.feed, given);
  const { kind } = scope;
  async function decide(current: Current | undefined): Promise<Decision> {
    if (!current) throw notFound(resourceOf(scope.version ?? kind), scope.name);
    await admitDeletion(deps, scope, current);
    const strategy = kind.strategy as Strategy<KubernetesObject>;
    if (strategy.beginDeletion) {
      checkPreconditions(scope, current.object, options);
      if (!current.object.metadata.deletionTimestamp) {
        strategy.beginDeletion(current.object, options, strategyContext(deps, scope));
        return { do: "put", object: current.object };
      }
      if (strategy.readyToDelete && !strategy.readyToDelete(current.object))
        return { do: "keep", object: current.object };
    }
    const plan = planDeletion(kind, current.object, options, deps.runtime.clock.now());
    switch (plan.kind) {
      case "pending":
        return { do: "keep", object: current.object };
      case "mark":
        return { do: "put", object: plan.object };
      case "remove":
        return {
          do: "remove",
          object: current.object,
          answer: "new revision",
          transaction: await deps.transactionOf?.(kind)?.remove(current.object),
        };
    }
  }
  return writeObject({ deps, scope, key: objectKey(kind, scope.namespace, scope.name), decide });
}

async function admitDeletion(deps: ObjectDeps, scope: WriteScope, current: Current): Promise<void> {
  const attributes = attributesOf(scope, { operation: "DELETE", object: undefined, old: current.object });
  await deps.admission.admit(attributes);
  await deps.admission.validate(attributes);
}

function checkPreconditions(
  { kind, version, name }: WriteScope,
  { metadata }: KubernetesObject,
  { preconditions }: DeleteOptions,
): void {
  const { uid, resourceVersion } = preconditions ?? {};
  if (uid !== undefined && uid !== metadata.uid) {
    throw conflict(
      resourceOf(version ?? kind),
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid ?? ""}`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw conflict(
      resourceOf(version ?? kind),
      name,
      `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${metadata.resourceVersion ?? ""}`,
    );
  }
}
