import { encodeJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { handleGet } from "../../endpoints/get.js";
import { handlePatch } from "../../endpoints/patch.js";
import type { Target } from "../../endpoints/target.js";
import { handleUpdate } from "../../endpoints/update.js";
import type { RegistryHandler } from "../registry-deps.js";
import { encodedObject } from "../../cache/encoded-object.js";
import { fromStoredForm } from "../../objects/stored-form.js";
import { withEntries } from "../../objects/managed-fields.js";
import { scaleProjection } from "./projection.js";
import { scaleKind } from "./scale-kind.js";

export const handleScaleGet: RegistryHandler = async (deps, context, target) => {
  const answer = await handleGet(deps, context, target);
  const stored = answer.object.parse() as KubernetesObject;
  const [object = stored] = await fromStoredForm(target.kind, [stored]);
  const scale = withEntries(scaleProjection(target.kind).project(object), []);
  return { ...answer, kind: scaleKind, object: encodedObject(encodeJson(scale, scaleKind.schema)) };
};

export const handleScaleUpdate: RegistryHandler = (deps, context, target) =>
  handleUpdate(deps, context, scaleTarget(target));

export const handleScalePatch: RegistryHandler = (deps, context, target) =>
  handlePatch(deps, context, scaleTarget(target));

const scaleTarget = (target: Target): Target => ({
  ...target,
  kind: scaleKind,
  projection: scaleProjection(target.kind),
});
