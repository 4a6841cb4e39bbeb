import { cloneJson, walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { noAdmission } from "../../admission/admission.js";
import { gatedPolicy } from "../../authorization/rbac/gated-policy.js";
import { bootstrapPolicy } from "../../authorization/rbac/gen/bootstrap-policy.js";
import { createLister } from "../../cache/lister.js";
import { objectKey } from "../../cache/object-key.js";
import type { KindOf } from "../../catalogue/kind-finder.js";
import { deleteObject } from "../../objects/delete.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import { serverScope } from "../../objects/server-scope.js";
import { updateObject } from "../../objects/update.js";
import { planReconcile } from "./reconcile-policy.js";

/**
 * Brings what is there of the bootstrap policy up to date. What is missing, or was taken away here to be made anew, is
 * made afterwards with the other objects of the server.
 */
export async function reconcilePolicy(deps: ObjectDeps, kindOf: KindOf): Promise<void> {
  const unguarded = { ...deps, admission: noAdmission, authorizationOf: () => undefined };
  for (const wanted of [...bootstrapPolicy, ...gatedPolicy(deps.gates)]) {
    const kind = kindOf(wanted);
    const { name = "", namespace = "" } = wanted.metadata;
    const current = createLister<KubernetesObject>(deps.feed.cacheOf(kind), "leave out").get(
      objectKey(kind, namespace, name),
    );
    if (!current) continue;
    const expected = walk(wanted, kind.schema) as KubernetesObject;
    const scope = serverScope(kind, { namespace, name });
    const plan = planReconcile(current, expected);
    if (plan.do === "recreate") await deleteObject(unguarded, scope, {});
    if (plan.do === "update")
      await updateObject(unguarded, scope, { next: (old) => Promise.resolve(next(old ?? current, expected)) });
  }
}

/** Decided again when somebody else was faster. */
function next(old: KubernetesObject, expected: KubernetesObject): KubernetesObject {
  const plan = planReconcile(old, expected);
  return cloneJson(plan.do === "update" ? plan.object : old) as KubernetesObject;
}
