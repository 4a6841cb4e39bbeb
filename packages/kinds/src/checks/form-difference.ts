import { sameForm } from "../internal-form/equal.js";
import { indentedJson } from "../internal-form/go-text.js";
import { internalForm } from "../internal-form/internal-form.js";
import { unifiedDiff } from "../internal-form/unified-diff.js";

/** The difference of two values of an internal type as messages show it; undefined where they are equal. */
export function formDifference(type: string, old: unknown, next: unknown): string | undefined {
  const [before, after] = [internalForm(type, old), internalForm(type, next)];
  return sameForm(before, after) ? undefined : unifiedDiff(indentedJson(before), indentedJson(after));
}
