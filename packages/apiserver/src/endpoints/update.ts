import { cloneJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { badRequest } from "@coxswain/apimachinery/status";
import { mayCreate } from "../authorization/may-create.js";
import { matchNamespace } from "../objects/metadata.js";
import { dropRepeatedOwners } from "../objects/repeated-owners.js";
import { updateObject } from "../objects/update.js";
import type { Answer } from "../request/answer.js";
import type { RequestContext } from "../request/request-context.js";
import { decodeToHub } from "./decode/decode-to-hub.js";
import type { HandlerDeps } from "./handler-deps.js";
import { afterUpdate } from "./initialization.js";
import { checkPathName } from "./path-name.js";
import type { Target } from "./target.js";
import { readWriteOptions } from "./write-options.js";
import { writeScope } from "./write-scope.js";

export async function handleUpdate(deps: HandlerDeps, context: RequestContext, target: Target): Promise<Answer> {
  const options = readWriteOptions(context, "UpdateOptions");
  const sent = await decodeToHub(deps, context, target, options.fieldValidation);
  matchNamespace(sent.metadata, target.kind.namespaced ? target.namespace : "");
  checkName(sent, target);
  checkPathName(target);
  const repeated = dropRepeatedOwners(sent.metadata, "before admission");
  if (repeated) context.warnings.push(repeated);
  const written = await updateObject(deps, writeScope(context, target, options), {
    next: () => Promise.resolve(cloneJson(sent)),
    mayCreate: mayCreate(deps.authorizer, context),
    ...(sent.metadata.uid ? { preconditions: { uid: sent.metadata.uid } } : {}),
  });
  return afterUpdate(deps, context, target, options, {
    as: "object",
    code: written.done === "created" ? 201 : 200,
    kind: target.kind,
    object: written.object,
  });
}

/** The name in the body is the name in the path. */
export function checkName({ metadata }: KubernetesObject, { name }: Target): void {
  if (!metadata.name)
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (metadata.name !== name)
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
}
