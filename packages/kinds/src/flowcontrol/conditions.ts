import { duplicate, type FieldError, fieldPath, namedText, required } from "@coxswain/apimachinery/field";

/** Conditions have a type, each its own. */
export function checkConditionTypes(conditions: readonly { readonly type?: string }[]): FieldError[] {
  const seen = new Set<string>();
  return conditions.flatMap(({ type = "" }, at) => {
    const path = fieldPath("status", "conditions").index(at).child("type");
    const repeated = seen.has(type) ? [duplicate(path, namedText(type))] : [];
    seen.add(type);
    return type === "" ? [...repeated, required(path)] : repeated;
  });
}
