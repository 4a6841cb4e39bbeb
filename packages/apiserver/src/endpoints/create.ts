import { inertWarning } from "../registry/inert-kinds.js";
import { createObject } from "../objects/create.js";
import type { Answer } from "../server/answer.js";
import { decodeToHub } from "./decode/decode-to-hub.js";
import type { HandlerDeps } from "./handler-deps.js";
import type { RequestContext } from "./request-context.js";
import type { Target } from "./target.js";
import { readWriteOptions } from "./write-options.js";
import { writeScope } from "./write-scope.js";

export async function handleCreate(deps: HandlerDeps, context: RequestContext, target: Target): Promise<Answer> {
  const options = readWriteOptions(context, "CreateOptions");
  const warning = inertWarning(target.kind);
  if (warning) context.warnings.push(warning);
  const object = await decodeToHub(deps, context, target, options.fieldValidation);
  const written = await createObject(deps, writeScope(context, target, options), object);
  return { as: "object", code: 201, kind: target.kind, object: written.object };
}
