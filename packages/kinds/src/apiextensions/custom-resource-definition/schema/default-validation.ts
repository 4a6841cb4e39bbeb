import { builtInTypes } from "@coxswain/api/tables";
import type { FieldError, FieldPath } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import {
  pruneDefaults,
  readStructural,
  type Structural,
  validateDefaults,
} from "@coxswain/apimachinery/structural-schema";
import { hasSchema, type Schema } from "./schema-walk.js";
import { isStructural } from "./structural-validation.js";

const objectMeta = builtInTypes.get("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");

/** Defaults must be what the schema itself asks for. */
export const checkDefaults = (
  schema: Schema,
  path: FieldPath,
  { pruned }: { readonly pruned: boolean },
): FieldError[] => validateDefaults(readStructural(schema), { objectMeta, pruned, path });

/** Whether defaults have members that the schema does not know. */
export function hasUnprunedDefaults(schema: Schema | undefined): boolean {
  if (!hasSchema(schema, ({ default: value }) => value !== undefined) || !isStructural(schema)) return false;
  const structural = readStructural(schema);
  return differs(structural, pruneDefaults(structural, { objectMeta }));
}

function differs(before: Structural, after: Structural): boolean {
  if (!equalJson(before.defaultValue, after.defaultValue)) return true;
  return childrenOf(before).some((inner, at) => {
    const other = childrenOf(after)[at];
    return other !== undefined && differs(inner, other);
  });
}

const childrenOf = ({ properties, additionalProperties, items }: Structural): Structural[] =>
  [...properties.values(), additionalProperties, items].filter((inner) => typeof inner === "object");
