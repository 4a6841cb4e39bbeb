import type { Steps } from "@coxswain/runtime/steps";
import { equalJson } from "../json/equal.js";
import { getOwn, setOwn } from "../own/index.js";
import { isList, isObject, type JsonObject } from "../patch/json-value.js";
import { type Atom, kindOf, type ListAtom, type MapAtom } from "./atom.js";
import { elementsPerStep, stepMicros } from "./element-steps.js";
import { itemElement } from "./list-item.js";
import type { PathElement } from "./path-element.js";

/**
 * The live object with what is applied laid over it. Nothing is removed. Lists keep the live order as far as the applied
 * order allows. What the applied object does not name is shared with `live`.
 */
export function* mergeAppliedInSteps(live: JsonObject, applied: JsonObject, atom: Atom): Steps<JsonObject> {
  return (yield* merge(live, applied, atom)) as JsonObject;
}

function* merge(live: unknown, applied: unknown, atom: Atom): Steps<unknown> {
  if (applied === undefined || live === applied) return live;
  const kind = kindOf(applied, atom);
  if (kind === "map" && atom.map && !atom.map.atomic) return yield* mergeMaps(live, applied, atom.map);
  if (kind === "list" && atom.list?.associative) return yield* mergeLists(live, applied, atom.list);
  return typeof applied === "object" && equalJson(live, applied) ? live : applied;
}

function* mergeMaps(live: unknown, applied: unknown, map: MapAtom): Steps<unknown> {
  const left = isObject(live) ? live : undefined;
  const right = isObject(applied) ? applied : undefined;
  if (right === undefined || Object.keys(right).length === 0)
    return left !== undefined && Object.keys(left).length > 0 ? left : applied;
  let out: Record<string, unknown> | undefined;
  let seen = 0;
  for (const name in right) {
    if (++seen % elementsPerStep === 0) yield stepMicros;
    const before = getOwn<unknown>(left, name);
    const own = getOwn<unknown>(right, name);
    const atom = map.atomOf(name);
    const value = atom && !isScalar(own, atom) ? yield* merge(before, own, atom) : own;
    if (value === before) continue;
    out ??= { ...left };
    setOwn(out, name, value);
  }
  return out ?? left ?? {};
}

/** What takes the place of whatever was there; merged without a generator. */
const isScalar = (value: unknown, { list, map }: Atom): boolean =>
  typeof value !== "object" && list === undefined && map === undefined;

/** Live items that are duplicates of one another do not merge, and keep their places. */
function* mergeLists(live: unknown, applied: unknown, list: ListAtom): Steps<unknown> {
  const left = isList(live) ? live : [];
  const right = isList(applied) ? applied : [];
  if (right.length === 0) return left.length > 0 ? left : applied;
  const lefts = yield* elementsOf(left, list);
  const rights = yield* elementsOf(right, list);
  const liveItems = new Map<PathElement, unknown>();
  for (const [index, element] of lefts.entries()) {
    liveItems.set(element, liveItems.has(element) ? undefined : left[index]);
    if ((index + 1) % elementsPerStep === 0) yield stepMicros;
  }
  const appliedItems = new Map<PathElement, unknown>();
  for (const [index, element] of rights.entries()) {
    appliedItems.set(element, right[index]);
    if ((index + 1) % elementsPerStep === 0) yield stepMicros;
  }
  const merged = (element: PathElement): Steps<unknown> =>
    merge(liveItems.get(element), appliedItems.get(element), list.element);
  const out = yield* mergeOrders({ lefts, rights, keep: (index) => left[index], merged });
  return out.length === left.length && out.every((item, index) => item === left[index]) ? left : out;
}

function* elementsOf(items: readonly unknown[], list: ListAtom): Steps<PathElement[]> {
  const elements: PathElement[] = [];
  for (const item of items) {
    elements.push(itemElement(item, list));
    if (elements.length % elementsPerStep === 0) yield stepMicros;
  }
  return elements;
}

interface Orders {
  readonly lefts: readonly PathElement[];
  readonly rights: readonly PathElement[];
  /** A live item that is not applied. */
  readonly keep: (index: number) => unknown;
  readonly merged: (element: PathElement) => Steps<unknown>;
}

/** Items of both lists meet in the applied order; live items go before the first applied item that follows them. */
function* mergeOrders({ lefts, rights, keep, merged }: Orders): Steps<unknown[]> {
  const inLeft = new Set(lefts);
  yield lefts.length;
  const inRight = new Set(rights);
  yield rights.length;
  const shared = rights.filter((element) => inLeft.has(element));
  yield rights.length;
  let nextShared = 0;
  const done = new Set<PathElement>();
  const out: unknown[] = [];
  let l = 0;
  let r = 0;
  let seen = 0;
  while (l < lefts.length || r < rights.length) {
    if (++seen % elementsPerStep === 0) yield stepMicros;
    const left = lefts[l];
    const right = rights[r];
    if (left !== undefined && right !== undefined) {
      if (left === right) {
        done.add(left);
        out.push(yield* merged(left));
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
      out.push(yield* merged(right));
      r++;
      if (shared[nextShared] === right) nextShared++;
    }
  }
  return out;
}
