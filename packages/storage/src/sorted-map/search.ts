import { keyIsBefore } from "./key-order.js";
import { sizeOf, type TreeNode } from "./node.js";

/** A place between keys: just before `key`, or just behind all keys that start with it. */
export interface Bound {
  readonly key: string;
  readonly behindPrefix: boolean;
}

/** Which keys: those that start with `prefix`, from `start` on (inclusive), up to `end` (exclusive). All by default. */
export interface KeyRange {
  readonly prefix?: string;
  readonly start?: string;
  readonly end?: string;
}

/** Index of the first key that is not before `key`. */
export function lowerIndex(keys: readonly string[], key: string, exact: boolean): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keyIsBefore(keys[middle]!, key, exact)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the child that holds `key`, if any does: the last one whose low is not behind it. */
export function childIndex(lows: readonly string[], key: string, exact: boolean): number {
  let low = 1;
  let high = lows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keyIsBefore(key, lows[middle]!, exact)) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

const liesBefore = (key: string, bound: Bound, exact: boolean): boolean =>
  (bound.behindPrefix && key.startsWith(bound.key)) || keyIsBefore(key, bound.key, exact);

/** How many keys of the tree lie before the bound. */
export function rankOf<V>(root: TreeNode<V>, bound: Bound, exact: boolean): number {
  let rank = 0;
  let node = root;
  while (node.kind === "branch") {
    const { lows, children } = node;
    let low = 1;
    let high = lows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (liesBefore(lows[middle]!, bound, exact)) low = middle + 1;
      else high = middle;
    }
    // The bound lies in child low-1: the children before it lie before the bound whole.
    if (low - 1 > children.length >>> 1) {
      let behind = 0;
      for (let i = low - 1; i < children.length; i++) behind += sizeOf(children[i]!);
      rank += node.size - behind;
    } else {
      for (let i = 0; i < low - 1; i++) rank += sizeOf(children[i]!);
    }
    node = children[low - 1]!;
  }
  let low = 0;
  let high = node.keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (liesBefore(node.keys[middle]!, bound, exact)) low = middle + 1;
    else high = middle;
  }
  return rank + low;
}

/** The first and the last-plus-one position of a range, counted from the first key of the tree. */
export function positionsOf<V>(root: TreeNode<V>, range: KeyRange, exact: boolean): { from: number; to: number } {
  const { prefix = "", start = "", end } = range;
  const rank = (key: string, behindPrefix = false): number => rankOf(root, { key, behindPrefix }, exact);
  let from = prefix === "" ? 0 : rank(prefix);
  if (start !== "") from = Math.max(from, rank(start));
  let to = prefix === "" ? sizeOf(root) : rank(prefix, true);
  if (end !== undefined) to = Math.min(to, rank(end));
  return { from, to: Math.max(from, to) };
}
