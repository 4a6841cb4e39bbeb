import { type Soon, whenKnown } from "@coxswain/runtime/soon";
import { createObject } from "../objects/create.js";
import type { Answer, ObjectAnswer } from "../request/answer.js";
import type { RequestContext } from "../request/request-context.js";
import { decodeToHub } from "./decode/decode-to-hub.js";
import type { HandlerDeps } from "./handler-deps.js";
import { afterCreate } from "./initialization.js";
import type { Target } from "./target.js";
import { readWriteOptions } from "./write-options.js";
import { writeScope } from "./write-scope.js";

/** Where the body has come, nothing is waited for but the store. */
export function handleCreate(deps: HandlerDeps, context: RequestContext, target: Target): Soon<Answer> {
  const options = readWriteOptions(context, "CreateOptions");
  return whenKnown(decodeToHub(deps, context, target, options.fieldValidation), (sent) =>
    whenKnown(createObject(deps, writeScope(context, target, options), sent), ({ object }): Soon<Answer> => {
      const answer: ObjectAnswer = { as: "object", code: 201, kind: target.kind, object };
      return deps.gates.enabled("Initializers") && !options.dryRun
        ? afterCreate(deps, context, target, answer)
        : answer;
    }),
  );
}
