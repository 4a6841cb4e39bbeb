import { cloneJson, equalJson, walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { noAdmission } from "../../admission/admission.js";
import { createLister } from "../../cache/lister.js";
import { objectKey } from "../../cache/object-key.js";
import type { KindOf } from "../../catalogue/kind-finder.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import { serverScope } from "../../objects/server-scope.js";
import { updateObject } from "../../objects/update.js";

/** Gives objects that are there the members (beside metadata and status) that the server wants them to have. What is equal is not written. */
export async function bringUpToDate(
  deps: ObjectDeps,
  kindOf: KindOf,
  objects: readonly KubernetesObject[],
): Promise<void> {
  for (const wanted of objects) {
    const kind = kindOf(wanted);
    const { name = "", namespace = "" } = wanted.metadata;
    const members = membersOf(walk(wanted, kind.schema) as KubernetesObject);
    const current = createLister<KubernetesObject>(deps.feed.cacheOf(kind), "leave out").get(
      objectKey(kind, namespace, name),
    );
    if (!current || equalJson({ ...current, ...members }, current)) continue;
    await updateObject({ ...deps, admission: noAdmission }, serverScope(kind, { namespace, name }), {
      next: (old) => Promise.resolve({ ...(cloneJson(old) as KubernetesObject), ...cloneJson(members) }),
    });
  }
}

function membersOf(object: KubernetesObject): Record<string, unknown> {
  const {
    apiVersion: _apiVersion,
    kind: _kind,
    metadata: _metadata,
    ...members
  } = object as KubernetesObject & { status?: unknown };
  delete members.status;
  return members as Record<string, unknown>;
}
