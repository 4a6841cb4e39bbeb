import { builtInTypes } from "@coxswain/api/tables";
import { type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { pruneDefaults, readStructural, type Structural } from "@coxswain/apimachinery/structural-schema";
import type { Schema } from "./schema-walk.js";
import { isStructural } from "./structural-validation.js";

const pruned = (schema: Structural): Structural => pruneDefaults(schema, { objectMeta: builtInTypes.get("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta") });

/** Defaults may have no members that the schema does not know. Whether they fit it otherwise is not checked here. */
export function checkDefaultsArePruned(schema: Schema, path: FieldPath): FieldError[] {
  const structural = { ...readStructural(schema), embeddedResource: true };
  return checkAll(structural, pruned(structural), path);
}

export const hasUnprunedDefaults = (schema: Schema | undefined): boolean => schema !== undefined && isStructural(schema) && hasDifference(readStructural(schema));

const hasDifference = (schema: Structural): boolean => differs(schema, pruned(schema));

const childrenOf = (before: Structural, after: Structural): [Structural, Structural][] => {
  const children: [Structural, Structural][] = before.items && after.items ? [[before.items, after.items]] : [];
  for (const [name, inner] of before.properties) {
    const other = after.properties.get(name);
    if (other) children.push([inner, other]);
  }
  return children;
};

const differs = (before: Structural, after: Structural): boolean => !equalJson(before.defaultValue, after.defaultValue) || childrenOf(before, after).some(([one, other]) => differs(one, other));

function checkAll(before: Structural, after: Structural, path: FieldPath): FieldError[] {
  const errors = equalJson(before.defaultValue, after.defaultValue) ? [] : [invalid(path.child("default"), before.defaultValue, "must not have unknown fields")];
  if (before.items && after.items) errors.push(...checkAll(before.items, after.items, path.child("items")));
  for (const [name, inner] of before.properties) {
    const other = after.properties.get(name);
    if (other) errors.push(...checkAll(inner, other, path.child("properties").key(name)));
  }
  return errors;
}
