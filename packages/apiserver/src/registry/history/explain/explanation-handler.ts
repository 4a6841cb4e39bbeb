import { encodeJson, walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { badRequest, notFound } from "@coxswain/apimachinery/status";
import { encodedObject } from "../../../cache/encoded-object.js";
import { decodeBody } from "../../../endpoints/decode/decode-body.js";
import { readWriteOptions } from "../../../endpoints/write-options.js";
import type { RegistryHandler } from "../../contract/registry-deps.js";
import { historyOf } from "../change-handlers.js";
import { readableChanges } from "../readable-changes.js";
import { explainObject } from "./explain-object.js";
import type { ExplanationSpec } from "./explanation.js";
import { createPastReader } from "./past-reader.js";

interface Question extends KubernetesObject {
  readonly spec?: ExplanationSpec;
}

/** A review, as SubjectAccessReviews are: nothing is stored. What the one who asks may not read is no cause. */
export const handleExplanationCreate: RegistryHandler = async (deps, context, { kind }) => {
  const options = readWriteOptions(context, "CreateOptions");
  const asked = (await decodeBody(deps, context, kind, options.fieldValidation)) as Question;
  const spec = asked.spec ?? {};
  if ((spec.object === undefined) === (spec.auditID === undefined))
    throw badRequest("spec: one of object and auditID must be given");
  const chronicle = await historyOf(deps).chronicle();
  const mayRead = readableChanges({ ...deps, chronicle }, { user: context.user, verb: "get" });
  const past = createPastReader({ chronicle, owners: deps.keyOwners }, mayRead);
  const status = await explainObject(past, spec);
  if (!status)
    throw notFound({ group: "", resource: spec.object?.kind ?? spec.object?.resource ?? "" }, spec.object?.name ?? "");
  const object = walk({ ...asked, status }, kind.schema) as KubernetesObject;
  return { as: "object", code: 201, kind, object: encodedObject(encodeJson(object, kind.schema)) };
};
