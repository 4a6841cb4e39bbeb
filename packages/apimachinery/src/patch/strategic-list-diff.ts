import { equalJson } from "../json/equal.js";
import { getOwn, setOwn } from "../own/index.js";
import { compareUtf8 } from "../text/utf8-order.js";
import { goText } from "./go-text.js";
import type { JsonObject } from "./json-value.js";
import { patchDirective } from "./strategic-directives.js";
import { identityOf, type List, requireMergeKey, sortLike } from "./strategic-order.js";

export interface ListDiff {
  /** Items to add or to merge; deletions of objects are among them. */
  readonly additions: List;
  /** Scalars to delete. */
  readonly deletions: List;
  /** For `$setElementOrder`; empty where none is needed. */
  readonly order: List;
}

interface Wanted {
  readonly elementOrder: boolean;
  readonly changes: boolean;
  readonly deletions: boolean;
}

export function diffScalarLists(original: List, modified: List, wanted: Wanted): ListDiff {
  const before = sorted(original, goText);
  const added: unknown[] = [];
  const deleted: unknown[] = [];
  zip(before, sorted(modified, goText), goText, {
    both: () => undefined,
    left: (item) => wanted.deletions && deleted.push(item),
    right: (item) => wanted.changes && added.push(item),
  });
  const deletions = withoutDuplicates(deleted);
  // Upstream compares with the sorted original: an unsorted list that did not change gets an order all the same.
  const reorder = (wanted.deletions && deletions.length > 0) || (wanted.changes && !equalJson(before, modified));
  return {
    additions: sortLike(added, modified, { mergeKey: "", kind: "scalar" }),
    deletions,
    order: wanted.elementOrder && reorder ? modified : [],
  };
}

/** In upstream's order: the last item takes the place of a duplicate. */
function withoutDuplicates(items: readonly unknown[]): unknown[] {
  const out = [...items];
  if (new Set(out).size === out.length) return out;
  if (out.length > 1_000) return [...new Set(out)]; // hostile: the order of a patch of that size is nobody's concern
  for (let i = 0; i < out.length - 1; i++) {
    for (let j = i + 1; j < out.length; j++) {
      if (out[i] !== out[j]) continue;
      const last = out.pop();
      if (j < out.length) out[j] = last;
      j--;
    }
  }
  return out;
}

export function diffObjectLists(
  original: readonly JsonObject[],
  modified: readonly JsonObject[],
  mergeKey: string,
  wanted: Wanted,
  diffItems: (original: JsonObject, modified: JsonObject) => Record<string, unknown>,
): ListDiff {
  const keyOf = (item: JsonObject): unknown => getOwn<unknown>(item, mergeKey);
  const keyText = (item: JsonObject): string => goText(keyOf(requireMergeKey(item, mergeKey)));
  const changed: JsonObject[] = [];
  const deleted: JsonObject[] = [];
  zip(sorted(original, keyText), sorted(modified, keyText), keyText, {
    both: (before, after) => {
      const patch = diffItems(before, after);
      if (Object.keys(patch).length === 0) return;
      setOwn(patch, mergeKey, keyOf(after));
      changed.push(patch);
    },
    left: (item) => wanted.deletions && deleted.push(deletionOf(mergeKey, keyOf(item))),
    right: (item) => wanted.changes && changed.push(item),
  });
  const additions = [...sortLike(changed, modified, { mergeKey, kind: "object" }), ...deleted];
  const reorder =
    (wanted.changes && (additions.length > 0 || !sameOrder(original, modified, mergeKey))) ||
    (wanted.deletions && additions.length > 0);
  return {
    additions,
    deletions: [],
    order: wanted.elementOrder && reorder ? modified.map((item) => keyOnly(mergeKey, keyOf(item))) : [],
  };
}

function sameOrder(original: List, modified: List, mergeKey: string): boolean {
  const key = (item: unknown): unknown => identityOf(item, mergeKey, "object");
  return original.length === modified.length && original.every((item, index) => key(item) === key(modified[index]));
}

function keyOnly(mergeKey: string, key: unknown): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  setOwn(out, mergeKey, key);
  return out;
}

function deletionOf(mergeKey: string, key: unknown): JsonObject {
  return { ...keyOnly(mergeKey, key), [patchDirective]: "delete" };
}

const sorted = <T>(items: readonly T[], textOf: (item: T) => string): T[] =>
  items
    .map((item) => ({ item, text: textOf(item) }))
    .sort((a, b) => compareUtf8(a.text, b.text))
    .map(({ item }) => item);

/** Walks two sorted lists at once. */
function zip<T>(
  lefts: readonly T[],
  rights: readonly T[],
  textOf: (item: T) => string,
  on: { both: (left: T, right: T) => void; left: (item: T) => void; right: (item: T) => void },
): void {
  let i = 0;
  let j = 0;
  while (i < lefts.length || j < rights.length) {
    const left = lefts[i] as T;
    const right = rights[j] as T;
    const order = i >= lefts.length ? 1 : j >= rights.length ? -1 : compareUtf8(textOf(left), textOf(right));
    if (order === 0) on.both(left, right);
    else if (order > 0) on.right(right);
    else on.left(left);
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
}
