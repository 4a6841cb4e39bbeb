import { type FieldError, fieldPath, invalid } from "@coxswain/apimachinery/field";
import { nestedInteger, nestedText, splitPath } from "./nested-value.js";
import type { ScaleSubresource } from "./version-spec.js";

const largestInt32 = 2 ** 31 - 1;

export const checkScaleSpec = (object: unknown, scale: ScaleSubresource | undefined): FieldError[] =>
  scale ? checkReplicas(object, scale.specReplicasPath) : [];

export function checkScaleStatus(object: unknown, scale: ScaleSubresource | undefined): FieldError[] {
  if (!scale) return [];
  const errors = checkReplicas(object, scale.statusReplicasPath);
  const { labelSelectorPath } = scale;
  if (labelSelectorPath === undefined) return errors;
  const { error } = nestedText(object, splitPath(labelSelectorPath));
  return error === undefined ? errors : [...errors, invalid(fieldPath(labelSelectorPath), "", error)];
}

function checkReplicas(object: unknown, path: string): FieldError[] {
  const at = fieldPath(path);
  const found = nestedInteger(object, splitPath(path));
  if (found.error !== undefined) return [invalid(at, 0, found.error)];
  const { value = 0 } = found;
  if (value < 0) return [invalid(at, value, "should be a non-negative integer")];
  return value > largestInt32 ? [invalid(at, value, `should be less than or equal to ${largestInt32}`)] : [];
}
