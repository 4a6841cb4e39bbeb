import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { applyJsonPatch } from "@coxswain/apimachinery/patch";
import { isStatusError } from "@coxswain/apimachinery/status";
import { elementsOf, ListValue, type Value } from "@coxswain/cel";
import { findMisplacedTypes, JsonPatchOperation, MutationObject, valueToJson } from "@coxswain/cel/kubernetes";
import { MutationError } from "./mutating-evaluator.js";
import type { PolicyInput } from "./policy-input.js";

/** The object after a list of `JSONPatch{…}`. One that fails a test changes nothing. @throws MutationError */
export function applyPatch({ object }: PolicyInput, value: Value): KubernetesObject {
  const live = object as KubernetesObject;
  if (!(value instanceof ListValue))
    throw new MutationError("type mismatch: JSONPatchType.expression should evaluate to array");
  const operations = [...elementsOf(value)].map(operationOf);
  try {
    return applyJsonPatch(live as unknown as Record<string, unknown>, operations) as KubernetesObject;
  } catch (error) {
    if (!isStatusError(error)) throw error;
    const text = error.cause instanceof Error ? error.cause.message : error.message;
    if (text.endsWith(": test failed")) return live;
    throw new MutationError(`JSON Patch: ${text}`);
  }
}

function operationOf(element: Value): Readonly<Record<string, unknown>> {
  if (!(element instanceof JsonPatchOperation))
    throw new MutationError("type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch");
  const { op, path, from, value } = element;
  return { op, path, ...(from !== "" && { from }), ...(value !== undefined && { value: jsonOf(value) }) };
}

function jsonOf(value: Value): unknown {
  if (value instanceof MutationObject) {
    const misplaced = findMisplacedTypes(value, value.type.name);
    if (misplaced.length > 0) throw new MutationError(`type mismatch: ${misplaced.join("\n")}`);
  }
  const json = valueToJson(value);
  if (json === undefined)
    throw new MutationError("JSONPath valueExpression evaluated to a type that could not marshal to JSON");
  return json;
}
