import type { DeepReadonly } from "@coxswain/api";
import type { LabelSelector } from "@coxswain/api/meta/v1";
import { append } from "@coxswain/apimachinery/append";
import { childOf, type FieldError, type FieldPath, forbidden, invalid } from "@coxswain/apimachinery/field";
import { ownKeys } from "@coxswain/apimachinery/own";
import { validateLabelName } from "@coxswain/apimachinery/validation";

type Path = FieldPath | undefined;
type Selector = DeepReadonly<LabelSelector> | undefined;

export interface LabelKeys {
  readonly matchLabelKeys?: readonly string[] | undefined;
  readonly mismatchLabelKeys?: readonly string[] | undefined;
  readonly labelSelector?: Selector;
}

const inBoth = "exists in both matchLabelKeys and labelSelector";

/** Label keys whose values are taken from the pod. They are in the selector already when this is asked. */
export function checkMergedLabelKeys(
  { matchLabelKeys = [], mismatchLabelKeys = [], labelSelector }: LabelKeys,
  path: Path,
): FieldError[] {
  if (matchLabelKeys.length === 0 && mismatchLabelKeys.length === 0) return [];
  const errors = [
    ...checkKeys(matchLabelKeys, labelSelector, childOf(path, "matchLabelKeys")),
    ...checkKeys(mismatchLabelKeys, labelSelector, childOf(path, "mismatchLabelKeys")),
    ...checkOwnSelector(matchLabelKeys, labelSelector, path),
  ];
  for (const [i, key] of matchLabelKeys.entries()) {
    if (mismatchLabelKeys.includes(key))
      errors.push(
        invalid(childOf(path, "matchLabelKeys").index(i), key, "exists in both matchLabelKeys and mismatchLabelKeys"),
      );
  }
  return errors;
}

function checkKeys(keys: readonly string[], selector: Selector, path: FieldPath): FieldError[] {
  if (keys.length === 0) return [];
  if (!selector) return [forbidden(path, "must not be specified when labelSelector is not set")];
  return keys.flatMap((key, i) => validateLabelName(key, path.index(i)));
}

/** A key that the user selects by as well stands in the selector twice: once from them, once from its merging. */
function checkOwnSelector(keys: readonly string[], selector: Selector, path: Path): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set(ownKeys(selector?.matchLabels));
  for (const { key } of selector?.matchExpressions ?? []) {
    if (keys.includes(key) && seen.has(key)) errors.push(invalid(path?.index(keys.lastIndexOf(key)), key, inBoth));
    seen.add(key);
  }
  return errors;
}

/** The same before keys were merged: then none of them may stand in the selector. */
export function checkSeparateLabelKeys({ matchLabelKeys = [], labelSelector }: LabelKeys, path: Path): FieldError[] {
  if (matchLabelKeys.length === 0) return [];
  const errors = labelSelector ? [] : [forbidden(path, "must not be specified when labelSelector is not set")];
  const selected = new Set([
    ...ownKeys(labelSelector?.matchLabels),
    ...(labelSelector?.matchExpressions ?? []).map(({ key }) => key),
  ]);
  for (const [i, key] of matchLabelKeys.entries()) {
    append(errors, validateLabelName(key, path?.index(i)));
    if (selected.has(key)) errors.push(invalid(path?.index(i), key, inBoth));
  }
  return errors;
}
