import { equalJson } from "../json/equal.js";
import { getOwn, setOwn } from "../own/index.js";
import { isList, isObject, type JsonObject } from "../patch/json-value.js";
import { type Atom, kindOf, type ListAtom, type MapAtom } from "./atom.js";
import { itemElement } from "./list-item.js";
import type { PathElement } from "./path-element.js";

/**
 * The live object with what is applied laid over it. Nothing is removed. Lists keep the live order as far as the applied
 * order allows. What the applied object does not name is shared with `live`.
 */
export function mergeApplied(live: JsonObject, applied: JsonObject, atom: Atom): JsonObject {
  return merge(live, applied, atom) as JsonObject;
}

function merge(live: unknown, applied: unknown, atom: Atom): unknown {
  if (applied === undefined || live === applied) return live;
  const kind = kindOf(applied, atom);
  if (kind === "map" && atom.map && !atom.map.atomic) return mergeMaps(live, applied, atom.map);
  if (kind === "list" && atom.list?.associative) return mergeLists(live, applied, atom.list);
  return typeof applied === "object" && equalJson(live, applied) ? live : applied;
}

function mergeMaps(live: unknown, applied: unknown, map: MapAtom): unknown {
  const left = isObject(live) ? live : undefined;
  const right = isObject(applied) ? applied : undefined;
  if (right === undefined || Object.keys(right).length === 0)
    return left !== undefined && Object.keys(left).length > 0 ? left : applied;
  let out: Record<string, unknown> | undefined;
  for (const name in right) {
    const before = getOwn<unknown>(left, name);
    const atomOfMember = map.atomOf(name);
    const value = atomOfMember
      ? merge(before, getOwn<unknown>(right, name), atomOfMember)
      : getOwn<unknown>(right, name);
    if (value === before) continue;
    out ??= { ...left };
    setOwn(out, name, value);
  }
  return out ?? left ?? {};
}

/** Live items that are duplicates of one another do not merge, and keep their places. */
function mergeLists(live: unknown, applied: unknown, list: ListAtom): unknown {
  const left = isList(live) ? live : [];
  const right = isList(applied) ? applied : [];
  if (right.length === 0) return left.length > 0 ? left : applied;
  const lefts = left.map((item) => itemElement(item, list));
  const rights = right.map((item) => itemElement(item, list));
  const liveItems = new Map<PathElement, unknown>();
  lefts.forEach((element, index) => liveItems.set(element, liveItems.has(element) ? undefined : left[index]));
  const appliedItems = new Map(rights.map((element, index) => [element, right[index]]));
  const merged = (element: PathElement): unknown =>
    merge(liveItems.get(element), appliedItems.get(element), list.element);
  const out = mergeOrders({ lefts, rights, keep: (index) => left[index], merged });
  return out.length === left.length && out.every((item, index) => item === left[index]) ? left : out;
}

interface Orders {
  readonly lefts: readonly PathElement[];
  readonly rights: readonly PathElement[];
  /** A live item that is not applied. */
  readonly keep: (index: number) => unknown;
  readonly merged: (element: PathElement) => unknown;
}

/** Items of both lists meet in the applied order; live items go before the first applied item that follows them. */
function mergeOrders({ lefts, rights, keep, merged }: Orders): unknown[] {
  const inLeft = new Set(lefts);
  const inRight = new Set(rights);
  const shared = rights.filter((element) => inLeft.has(element));
  let nextShared = 0;
  const done = new Set<PathElement>();
  const out: unknown[] = [];
  let l = 0;
  let r = 0;
  while (l < lefts.length || r < rights.length) {
    const left = lefts[l];
    const right = rights[r];
    if (left !== undefined && right !== undefined) {
      if (left === right) {
        done.add(left);
        out.push(merged(left));
        l++;
        r++;
        nextShared++;
        continue;
      }
      const wanted = shared[nextShared];
      if (inRight.has(left) && wanted !== undefined && wanted !== left) {
        l++; // shared, but not the one whose turn it is
        continue;
      }
    }
    if (left !== undefined) {
      if (!inRight.has(left)) {
        out.push(keep(l));
        l++;
        continue;
      }
      if (done.has(left)) l++;
    }
    if (right !== undefined) {
      done.add(right);
      out.push(merged(right));
      r++;
      if (shared[nextShared] === right) nextShared++;
    }
  }
  return out;
}
