import { DecodeError, decodeJson, encodeJson } from "@coxswain/apimachinery/json";
import { fieldPath, invalid as invalidField } from "@coxswain/apimachinery/field";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, unknownOperationFields } from "@coxswain/apimachinery/patch";
import { badRequest, invalid, unsupportedMediaType } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";
import { updateObject } from "../objects/update.js";
import type { Answer } from "../server/answer.js";
import { mediaTypeOf, readBody } from "./decode-body.js";
import type { HandlerDeps } from "./handler-deps.js";
import type { RequestContext } from "./request-context.js";
import type { Target } from "./target.js";
import { checkName } from "./update.js";
import { type FieldValidation, readWriteOptions } from "./write-options.js";
import { writeScope } from "./write-scope.js";

const jsonPatch = "application/json-patch+json";
const mergePatch = "application/merge-patch+json";
const strategicMergePatch = "application/strategic-merge-patch+json";

/** In the order in which a refusal lists them. */
const patchTypes = [jsonPatch, mergePatch, strategicMergePatch];

export async function handlePatch(deps: HandlerDeps, context: RequestContext, target: Target): Promise<Answer> {
  const type = mediaTypeOf(context.request.header("content-type"));
  if (!patchTypes.includes(type)) throw unsupportedMediaType(patchTypes);
  const bytes = await readBody(deps, context);
  const options = readWriteOptions(context, "PatchOptions");
  const patch = parsePatch(bytes);
  const { kind } = target;
  const written = await updateObject(deps, writeScope(context, target, options), {
    next: (current) => {
      const patched = decodePatched(applyPatch(type, kind, current as KubernetesObject, patch), kind, options.fieldValidation, strictErrors(type, patch), context);
      kind.setDefaults?.(patched);
      checkName(patched, target);
      return Promise.resolve(patched);
    },
  });
  return { as: "object", code: written.done === "created" ? 201 : 200, kind, object: written.object };
}

function parsePatch(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (err) {
    throw badRequest(`error decoding patch: ${err instanceof Error ? err.message : String(err)}`, { cause: err });
  }
}

function applyPatch(type: string, kind: AnyKind, current: KubernetesObject, patch: unknown): unknown {
  const object = current as unknown as Record<string, unknown>;
  if (type === jsonPatch) return applyJsonPatch(object, patch);
  if (type === mergePatch) return applyMergePatch(object, patch);
  return applyStrategicMergePatch(object, patch, kind.schema);
}

const strictErrors = (type: string, patch: unknown): string[] => (type === jsonPatch ? unknownOperationFields(patch) : []);

/** The patch may have brought anything: what it made is checked like an object that a client sent. */
function decodePatched(patched: unknown, kind: AnyKind, validation: FieldValidation, strict: readonly string[], context: RequestContext): KubernetesObject {
  const bytes = encodeJson(patched, kind.schema);
  const refuse = (why: string): never => {
    throw invalid({ group: "", kind: "" }, "", [invalidField(fieldPath("patch"), new TextDecoder().decode(bytes), why)]);
  };
  try {
    const { object, warnings } = decodeJson(bytes, kind.schema, { strict: validation !== "Ignore" });
    const problems = [...strict, ...warnings];
    if (problems.length > 0 && validation === "Strict") return refuse(`strict decoding error: ${problems.join(", ")}`);
    if (validation === "Warn") context.warnings.push(...problems.filter((problem) => !context.warnings.includes(problem)));
    return object as KubernetesObject;
  } catch (err) {
    if (err instanceof DecodeError) return refuse(err.message);
    throw err;
  }
}
