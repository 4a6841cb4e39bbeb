import { decodeJson, encodeJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { applyJsonPatch } from "@coxswain/apimachinery/patch";
import { createNode, typeCodes } from "@coxswain/apimachinery/schema";
import { internalError, isStatusError } from "@coxswain/apimachinery/status";

const anything = createNode(typeCodes.json);

/** The operations of a JSON patch. @throws Error where it is none */
export function readPatch(bytes: Uint8Array): readonly unknown[] {
  const { object } = decodeJson(bytes, anything);
  if (object === null) return [];
  if (!Array.isArray(object))
    throw new Error(
      `json: cannot unmarshal ${object === null ? "null" : typeof object} into Go value of type jsonpatch.Patch`,
    );
  return object as readonly unknown[];
}

/** What a patch makes of an object, as JSON. @throws StatusError 500 where it does not apply */
export function patchObject(object: KubernetesObject, patch: readonly unknown[]): Uint8Array {
  try {
    return encodeJson(applyJsonPatch(object as unknown as Record<string, unknown>, patch));
  } catch (err) {
    if (!isStatusError(err)) throw err;
    // Clients' own patches are refused without the reason; here it is reported.
    throw internalError(err.cause instanceof Error ? err.cause.message : err.message, { cause: err });
  }
}
