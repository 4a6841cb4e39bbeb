import { getOwn } from "../own/index.js";
import { goText, goType } from "./go-text.js";
import { isObject, type JsonObject } from "./json-value.js";
import { patchDoesNotApply, unmergeable } from "./patch-errors.js";
import { patchDirective } from "./strategic-directives.js";

export type List = readonly unknown[];
export type ItemKind = "object" | "scalar";

/** What the items of these lists are; lists that mix kinds, hold lists, or are all empty cannot be merged. */
export function itemKind(...lists: readonly List[]): ItemKind {
  let first: string | undefined;
  for (const list of lists) {
    for (const item of list) {
      const type = goType(item);
      if (first === undefined) {
        if (type === "[]interface {}") throw patchDoesNotApply("lists of lists are not supported");
        first = type;
      } else if (type !== first) throw unmergeable(`list element types are not identical: ${goText(lists)}`);
    }
  }
  if (first === undefined) throw unmergeable("no elements in any of the given slices");
  return first === "map[string]interface {}" ? "object" : "scalar";
}

/** An item's merge key; for scalars the item. */
export const identityOf = (item: unknown, mergeKey: string, kind: ItemKind): unknown =>
  kind === "object" ? (isObject(item) ? getOwn<unknown>(item, mergeKey) : undefined) : item;

export function requireMergeKey(item: unknown, mergeKey: string): JsonObject {
  if (!isObject(item)) throw badType("map[string]interface {}", item);
  if (getOwn<unknown>(item, mergeKey) === undefined) throw noMergeKey(item, mergeKey);
  return item;
}

export const noMergeKey = (item: JsonObject, mergeKey: string): Error =>
  unmergeable(`map: ${goText(item)} does not contain declared merge key: ${mergeKey}`);

export const badType = (expected: string, actual: unknown): Error =>
  unmergeable(`expected a ${expected}, but received a ${goType(actual) === "" ? "%!s(<nil>)" : goType(actual)}`);

/** Where each identity first stands in a list. */
export function positions(list: List, mergeKey: string, kind: ItemKind): Map<unknown, number> {
  const found = new Map<unknown, number>();
  list.forEach((item, index) => {
    const identity = identityOf(item, mergeKey, kind);
    if (!found.has(identity)) found.set(identity, index);
  });
  return found;
}

export interface Order {
  readonly mergeKey: string;
  readonly kind: ItemKind;
}

/**
 * The items that the patch names, in the patch's order, with the live object's own items let in where they stood.
 * Both orders hold within themselves; against each other the live order decides as far as it can.
 */
export function interleave(
  { fromPatch, liveOnly }: { fromPatch: List; liveOnly: List },
  { patchOrder, liveOrder }: { patchOrder: List; liveOrder: List },
  by: Order,
): unknown[] {
  const right = sortLike(fromPatch, patchOrder, by);
  const left = sortLike(liveOnly, liveOrder, by);
  const live = positions(liveOrder, by.mergeKey, by.kind);
  const at = (item: unknown): number | undefined => live.get(identityOf(item, by.mergeKey, by.kind));
  const out: unknown[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    const l = at(left[i]);
    const r = at(right[j]);
    out.push(l !== undefined && r !== undefined && l < r ? left[i++] : right[j++]);
  }
  return [...out, ...right.slice(j), ...left.slice(i)];
}

/** `items` in the order in which `order` names them; items to be deleted come last. */
export function sortLike(items: List, order: List, { mergeKey, kind }: Order): unknown[] {
  if (kind === "object") for (const item of [...items, ...order]) requireMergeKey(item, mergeKey);
  const doomed = kind === "object" ? items.filter(isDeletion) : [];
  const sorted = kind === "object" ? items.filter((item) => !isDeletion(item)) : [...items];
  const rank = positions(order, mergeKey, kind);
  const ranks = new Map(sorted.map((item) => [item, rank.get(identityOf(item, mergeKey, kind))]));
  if (sorted.every((item) => ranks.get(item) !== undefined)) {
    sorted.sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
  } else {
    insertionSort(sorted, (a, b) => {
      const left = ranks.get(a);
      const right = ranks.get(b);
      return left === undefined || right === undefined || left < right;
    });
  }
  return [...sorted, ...doomed];
}

/** Upstream compares "true" wherever one of two items is unknown, so the answer depends on the algorithm: Go's, for short lists. */
function insertionSort(items: unknown[], less: (a: unknown, b: unknown) => boolean): void {
  const goSortsByInsertion = 20;
  for (let i = 1; i < items.length; i++) {
    const start = Math.max(0, i - goSortsByInsertion);
    for (let j = i; j > start && less(items[j], items[j - 1]); j--) [items[j - 1], items[j]] = [items[j], items[j - 1]];
  }
}

export const isDeletion = (item: unknown): boolean =>
  isObject(item) && getOwn<unknown>(item, patchDirective) === "delete";
