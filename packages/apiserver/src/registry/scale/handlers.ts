import { quoteGo } from "@coxswain/apimachinery/field";
import { encodeJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { badRequest, isStatusError } from "@coxswain/apimachinery/status";
import { noReplicas } from "@coxswain/kinds/custom-resources";
import { encodedObject } from "../../cache/encoded-object.js";
import { handleGet } from "../../endpoints/get.js";
import { handlePatch } from "../../endpoints/patch.js";
import type { Target } from "../../endpoints/target.js";
import { handleUpdate } from "../../endpoints/update.js";
import { withEntries } from "../../objects/managed-fields.js";
import { fromStoredForm } from "../../objects/stored-form.js";
import type { RegistryHandler } from "../contract/registry-deps.js";
import { scaleProjection } from "./projection.js";
import { unsetReplicas } from "./scale-fields.js";
import { clusterScaleKind, type StoredScale, scaleKind } from "./scale-kind.js";

/** Where upstream makes the scheme that does not know the Scale of a custom resource: a body that cannot be read is answered with it. */
const customScheme = "k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go:781";

export const handleScaleGet: RegistryHandler = async (deps, context, target) => {
  const answer = await handleGet(deps, context, target);
  const stored = answer.object.parse() as KubernetesObject;
  const [object = stored] = await fromStoredForm(target.kind, [stored]);
  const scale = withEntries(scaleProjection(target.kind).project(object), []);
  if (target.kind.scale && (scale as StoredScale).spec?.replicas === unsetReplicas) throw noReplicas(target.kind.scale);
  return { ...answer, kind: scaleKind, object: encodedObject(encodeJson(scale, scaleKind.schema)) };
};

export const handleScaleUpdate: RegistryHandler = async (deps, context, target) => {
  try {
    return await handleUpdate(deps, context, scaleTarget(target));
  } catch (err) {
    if (target.kind.scale && isStatusError(err) && err.status.message?.includes("cannot be handled as a Scale"))
      throw badRequest(`no kind is registered for the type v1.Scale in scheme ${quoteGo(customScheme)}`, {
        cause: err,
      });
    throw err;
  }
};

export const handleScalePatch: RegistryHandler = (deps, context, target) =>
  handlePatch(deps, context, scaleTarget(target));

const scaleTarget = (target: Target): Target => ({
  ...target,
  kind: target.kind.namespaced ? scaleKind : clusterScaleKind,
  projection: scaleProjection(target.kind),
});
