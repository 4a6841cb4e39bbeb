import { MergeConfigurationError, mergeConfiguration } from "@coxswain/apimachinery/managed-fields";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { SchemaNode } from "@coxswain/apimachinery/schema";
import type { Value } from "@coxswain/cel";
import { findMisplacedTypes, MutationObject, valueToJson } from "@coxswain/cel/kubernetes";
import { MutationError } from "./mutating-evaluator.js";
import type { PolicyInput } from "./policy-input.js";

/** The object with a configuration `Object{…}` merged into it. @throws MutationError */
export function applyConfiguration({ object }: PolicyInput, value: Value, schema: SchemaNode): KubernetesObject {
  const live = object as KubernetesObject;
  if (!(value instanceof MutationObject))
    throw new MutationError("unsupported return type from ApplyConfiguration expression");
  const misplaced = findMisplacedTypes(value);
  if (misplaced.length > 0) throw new MutationError(`type mismatch: ${misplaced.join("\n")}`);
  const { apiVersion, kind } = live;
  const configuration = { ...(valueToJson(value) as object), apiVersion, kind };
  try {
    return mergeConfiguration(
      live as unknown as Record<string, unknown>,
      configuration,
      schema,
    ) as unknown as KubernetesObject;
  } catch (error) {
    if (error instanceof MergeConfigurationError) throw new MutationError(`error applying patch: ${error.message}`);
    throw error;
  }
}
