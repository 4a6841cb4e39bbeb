import { negotiatePatch, type PatchType, patchTypes } from "@coxswain/apimachinery/negotiation";
import { notFound } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";
import { runSteps } from "@coxswain/runtime/steps";
import { resourceOf } from "../catalogue/resource-of.js";
import { matchNamespace } from "../objects/metadata.js";
import { updateObject } from "../objects/update.js";
import type { Answer } from "../request/answer.js";
import type { RequestContext } from "../request/request-context.js";
import { handleApply } from "./apply.js";
import { readBody } from "./decode/read-body.js";
import type { HandlerDeps } from "./handler-deps.js";
import { afterUpdate } from "./initialization.js";
import { createPatcher } from "./patching/patcher.js";
import type { Target } from "./target.js";
import { checkName } from "./update.js";
import { readWriteOptions } from "./write-options.js";
import { writeScope } from "./write-scope.js";

/** Custom resources know no strategic merge patch: their schemas have no merge keys for it. */
const patchTypesOf = ({ facts }: AnyKind): readonly PatchType[] =>
  facts.custom ? patchTypes.filter((type) => type !== "application/strategic-merge-patch+json") : patchTypes;

export async function handlePatch(deps: HandlerDeps, context: RequestContext, target: Target): Promise<Answer> {
  const type = negotiatePatch(context.request.header("content-type"), patchTypesOf(target.kind));
  const bytes = await readBody(deps, context);
  const options = readWriteOptions(context, "PatchOptions", type === "application/apply-patch+yaml");
  context.audit?.patch(bytes);
  if (type === "application/apply-patch+yaml") return handleApply(deps, context, target, { bytes, options });
  const { kind, version } = target;
  const requested = version ?? kind;
  const patch = createPatcher(type, { bytes, kind: requested, validation: options.fieldValidation });
  const written = await updateObject(deps, writeScope(context, target, options), {
    async next(current) {
      // Kinds that a PUT may create are not created by a patch: there is nothing that it could change.
      if (!current) throw notFound(resourceOf(requested), target.name);
      // It is written for the form that the client sees.
      const steps = patch(version ? version.fromHub(current) : current);
      const { object, warnings } = await runSteps(context.scheduler, steps, context);
      for (const warning of warnings) context.warnings.push(warning);
      requested.setDefaults?.(object);
      matchNamespace(object.metadata, kind.namespaced ? target.namespace : "");
      checkName(object, target);
      return version ? version.toHub(object) : object;
    },
  });
  return afterUpdate(deps, context, target, options, {
    as: "object",
    code: written.done === "created" ? 201 : 200,
    kind,
    object: written.object,
  });
}
