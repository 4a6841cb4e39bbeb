import { getOwn } from "../own/index.js";
import { goText } from "./go-text.js";
import { isObject, type JsonObject } from "./json-value.js";
import { unmergeable } from "./patch-errors.js";
import { patchDirective, unknownPatchType } from "./strategic-directives.js";
import { goKindOf, type MergeRule } from "./strategic-metadata.js";
import {
  badType,
  type ItemKind,
  identityOf,
  interleave,
  isDeletion,
  itemKind,
  type List,
  noMergeKey,
  positions,
  requireMergeKey,
} from "./strategic-order.js";

/** Merges one item of a list into the item with the same merge key. */
export type MergeItem = (original: JsonObject, patch: JsonObject) => JsonObject;

/** A list with the merge strategy: items of the patch are merged by key, or added; `$patch: delete` and `$patch: replace` are obeyed. */
export function mergeLists(original: List, patch: List, { mergeKey, node }: MergeRule, mergeItem: MergeItem): List {
  if (original.length === 0 && patch.length === 0) return original;
  const kind = itemKind(original, patch);
  if (kind === "scalar") return ordered([...new Set([...original, ...patch])], patch, original, mergeKey, kind);
  if (mergeKey === "") throw unmergeable(`cannot merge lists without merge key for ${goKindOf(node)}`);
  const { live, additions } = obeyDirectives(
    original as readonly JsonObject[],
    patch as readonly JsonObject[],
    mergeKey,
  );
  return ordered(mergeByKey(live, additions, mergeKey, mergeItem), additions, live, mergeKey, kind);
}

function ordered(merged: List, patch: List, original: List, mergeKey: string, kind: ItemKind): unknown[] {
  return interleave(partition(merged, patch, mergeKey), { patchOrder: patch, liveOrder: original }, { mergeKey, kind });
}

/** The items that `names` names, and the others. */
export function partition(items: List, names: List, mergeKey: string): { fromPatch: unknown[]; liveOnly: unknown[] } {
  const kind: ItemKind = mergeKey === "" ? "scalar" : "object";
  const named = positions(names, mergeKey, kind);
  const fromPatch: unknown[] = [];
  const liveOnly: unknown[] = [];
  for (const item of items) {
    if (kind === "object") requireMergeKey(item, mergeKey);
    (named.has(identityOf(item, mergeKey, kind)) ? fromPatch : liveOnly).push(item);
  }
  return { fromPatch, liveOnly };
}

function obeyDirectives(
  original: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeKey: string,
): { live: JsonObject[]; additions: JsonObject[] } {
  const doomed = new Set<unknown>();
  const additions: JsonObject[] = [];
  let replace = false;
  for (const item of patch) {
    const directive = getOwn<unknown>(item, patchDirective);
    if (directive === undefined) additions.push(item);
    else if (directive === "delete") doomed.add(getOwn<unknown>(requireMergeKey(item, mergeKey), mergeKey));
    else if (directive === "replace") replace = true;
    else if (directive === "merge") throw unmergeable("merging lists cannot yet be specified in the patch");
    else throw unknownPatchType(directive, item);
  }
  if (replace) return { live: additions, additions: [] };
  const live =
    doomed.size === 0 ? [...original] : original.filter((item) => !doomed.has(getOwn<unknown>(item, mergeKey)));
  return { live, additions };
}

function mergeByKey(
  live: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeKey: string,
  mergeItem: MergeItem,
): JsonObject[] {
  const merged = [...live];
  const at = positions(live, mergeKey, "object");
  for (const item of patch) {
    const identity = getOwn<unknown>(item, mergeKey);
    if (identity === undefined) throw noMergeKey(item, mergeKey);
    const index = at.get(identity);
    const before = index === undefined ? undefined : merged[index];
    if (index !== undefined && before !== undefined) merged[index] = mergeItem(before, item);
    else at.set(identity, merged.push(item) - 1);
  }
  return merged;
}

/**
 * The live order that `$setElementOrder` goes by. Upstream deletes in place and appends into the room so won: as many new
 * items as old ones were deleted count as standing at the end of the live list. kubectl's patches show it.
 */
export function liveOrderAfter(original: List, patch: List, mergeKey: string): List {
  const doomed = new Set(patch.filter(isDeletion).map((item) => identityOf(item, mergeKey, "object")));
  if (doomed.size === 0) return original;
  const kept = original.filter((item) => !doomed.has(identityOf(item, mergeKey, "object")));
  const known = positions(kept, mergeKey, "object");
  const additions = patch.filter((item) => !isDeletion(item) && !known.has(identityOf(item, mergeKey, "object")));
  return [...kept, ...additions.slice(0, original.length - kept.length)];
}

/** What `$deleteFromPrimitiveList` leaves. */
export function deleteFromList(list: List, doomed: List): List {
  const gone = new Set(doomed);
  return list.filter((item) => !gone.has(item));
}

/** The items of a patch that `$setElementOrder` governs must come in its order, and be in it. */
export function checkElementOrder(patch: List, order: List, mergeKey: string): void {
  if (order.length === 0 || patch.length === 0) return;
  const kind: ItemKind = mergeKey === "" ? "scalar" : "object";
  const kept = kind === "object" ? patch.filter((item) => !isDeletion(requireObject(item))) : patch;
  let at = 0;
  for (let index = 0; at < kept.length && index < order.length; ) {
    const item = kept[at];
    if (kind === "object" && getOwn<unknown>(requireObject(item), patchDirective) !== undefined) {
      at++;
      continue;
    }
    if (kind === "object") [item, order[index]].forEach((one) => requireMergeKey(one, mergeKey));
    if (identityOf(item, mergeKey, kind) === identityOf(order[index], mergeKey, kind)) at++;
    index++;
  }
  if (at < kept.length) {
    throw unmergeable(
      `The order in patch list:\n${goText(patch)}\n doesn't match $setElementOrder list:\n${goText(order)}\n`,
    );
  }
}

function requireObject(item: unknown): JsonObject {
  if (!isObject(item)) throw badType("map[string]interface {}", item);
  return item;
}
