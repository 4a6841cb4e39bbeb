import type { Steps } from "@coxswain/runtime/steps";
import { equalJson } from "../json/equal.js";
import { getOwn } from "../own/index.js";
import { isList, isObject, type JsonObject } from "../patch/json-value.js";
import { sortInSteps } from "../sort/index.js";
import { compareUtf8 } from "../text/utf8-order.js";
import { type Atom, kindOf, type ListAtom, type MapAtom } from "./atom.js";
import { elementsPerStep, stepMicros } from "./element-steps.js";
import { emptySet, type FieldSet, leaf, NodeBuilder, unionNodesInSteps } from "./field-set.js";
import { itemsByElement } from "./list-item.js";
import { fieldElement, type PathElement } from "./path-element.js";

/** How one object differs from another of the same type. */
export interface Comparison {
  /** Paths added, and paths whose value is another. */
  readonly changed: FieldSet;
  readonly removed: FieldSet;
}

/** Compares two objects of the type `atom`; what is one and the same value in both is not looked into. */
export function* compareObjects(before: JsonObject, after: JsonObject, atom: Atom): Steps<Comparison> {
  const { changed = emptySet, removed = emptySet } = yield* compare(before, after, atom);
  return { changed, removed };
}

/** Of one value: its nodes in both sets. */
interface Nodes {
  readonly changed: FieldSet | undefined;
  readonly removed: FieldSet | undefined;
}
const same: Nodes = { changed: undefined, removed: undefined };
const modified: Nodes = { changed: leaf, removed: undefined };
const added: Nodes = { changed: leaf, removed: undefined };
const gone: Nodes = { changed: undefined, removed: leaf };

/** Values that are no lists and no objects, as most are: compared without a generator. Undefined for others. */
function compareScalars(before: unknown, after: unknown): Nodes | undefined {
  if (before === after) return same;
  if (typeof before === "object" && before !== null) return undefined;
  if (typeof after === "object" && after !== null) return undefined;
  if (before === undefined) return added;
  if (after === undefined) return gone;
  return equalJson(before, after) ? same : modified;
}

/** Absent is undefined, which is not null. */
function* compare(before: unknown, after: unknown, atom: Atom): Steps<Nodes> {
  if (before === after) return same;
  if (before === undefined) return { changed: yield* everything(after, atom), removed: undefined };
  if (after === undefined) return { changed: undefined, removed: yield* everything(before, atom) };
  const kind = kindOf(after, atom);
  const kindBefore = kindOf(before, atom);
  if (kindBefore === kind) return yield* compareAs(kind, before, after, atom);
  // The value became another kind of thing: it is compared as both.
  const left = yield* compareAs(kindBefore, before, after, atom);
  const right = yield* compareAs(kind, before, after, atom);
  return {
    changed: yield* unite(left.changed, right.changed),
    removed: yield* unite(left.removed, right.removed),
  };
}

function* compareAs(kind: "scalar" | "list" | "map", before: unknown, after: unknown, atom: Atom): Steps<Nodes> {
  if (kind === "map" && atom.map && !atom.map.atomic) return yield* compareMaps(before, after, atom.map);
  if (kind === "list" && atom.list?.associative) return yield* compareLists(before, after, atom.list);
  return equalJson(before, after) ? same : modified;
}

function* unite(a: FieldSet | undefined, b: FieldSet | undefined): Steps<FieldSet | undefined> {
  if (a === undefined || b === undefined) return a ?? b;
  return yield* unionNodesInSteps(a, b);
}

function* compareMaps(before: unknown, after: unknown, map: MapAtom): Steps<Nodes> {
  const left = isObject(before) ? before : undefined;
  const right = isObject(after) ? after : undefined;
  if (isBare(left) && isBare(right)) return equalJson(before, after) ? same : modified;
  const changed = new NodeBuilder();
  const removed = new NodeBuilder();
  let seen = 0;
  for (const { name, element, atom } of map.fields) {
    const old = getOwn<unknown>(left, name);
    const now = getOwn<unknown>(right, name);
    note(changed, removed, element, compareScalars(old, now) ?? (yield* compare(old, now, atom)));
    if (++seen % elementsPerStep === 0) yield stepMicros;
  }
  yield 1;
  if (map.element === undefined) return { changed: changed.children, removed: removed.children };
  for (const name of yield* otherNames(map, left, right)) {
    const old = getOwn<unknown>(left, name);
    const now = getOwn<unknown>(right, name);
    note(changed, removed, fieldElement(name), compareScalars(old, now) ?? (yield* compare(old, now, map.element)));
    if (++seen % elementsPerStep === 0) yield stepMicros;
  }
  if (map.fields.length === 0) return { changed: changed.children, removed: removed.children };
  return { changed: yield* changed.ordered(), removed: yield* removed.ordered() };
}

function note(changed: NodeBuilder, removed: NodeBuilder, element: PathElement, nodes: Nodes): void {
  changed.add(element, nodes.changed);
  removed.add(element, nodes.removed);
}

const isBare = (map: JsonObject | undefined): boolean => {
  for (const _ in map) return false;
  return true;
};

/** Members that no field names, in the order of sets. */
function* otherNames(map: MapAtom, left: JsonObject | undefined, right: JsonObject | undefined): Steps<string[]> {
  const names: string[] = [];
  let seen = 0;
  for (const name in left) {
    if (!map.byName.has(name)) names.push(name);
    if (++seen % elementsPerStep === 0) yield stepMicros;
  }
  for (const name in right) {
    if (!map.byName.has(name) && getOwn<unknown>(left, name) === undefined) names.push(name);
    if (++seen % elementsPerStep === 0) yield stepMicros;
  }
  return names.length < 2 ? names : yield* sortInSteps(names, compareUtf8);
}

function* compareLists(before: unknown, after: unknown, list: ListAtom): Steps<Nodes> {
  const left = isList(before) ? before : [];
  const right = isList(after) ? after : [];
  if (left.length === 0 && right.length === 0) return equalJson(before, after) ? same : modified;
  if (left.length === right.length && left.every((item, index) => item === right[index])) return same;
  const lefts = yield* itemsByElement(left, list);
  const rights = yield* itemsByElement(right, list);
  const changed = new NodeBuilder();
  const removed = new NodeBuilder();
  let seen = 0;
  // One loop, and no generator function made for each list: making one takes longer than comparing a short list.
  const elements = [...lefts.keys()];
  for (const element of rights.keys()) if (!lefts.has(element)) elements.push(element);
  for (const element of elements) {
    const old = lefts.get(element) ?? none;
    const now = rights.get(element) ?? none;
    const isOne = old.length <= 1 && now.length <= 1;
    const nodes = (isOne ? compareScalars(old[0], now[0]) : undefined) ?? (yield* compareItems(old, now, list.element));
    note(changed, removed, element, nodes);
    if (++seen % elementsPerStep === 0) yield stepMicros;
  }
  return { changed: yield* changed.ordered(), removed: yield* removed.ordered() };
}

const none: readonly unknown[] = [];

/** Items with one identity. Duplicates are one value together; an item that becomes or ceases to be one is removed and added. */
function* compareItems(left: readonly unknown[], right: readonly unknown[], atom: Atom): Steps<Nodes> {
  if (left.length <= 1 && right.length <= 1) return yield* compare(left[0], right[0], atom);
  if (left.length >= 2 && right.length >= 2) return equalJson(left, right) ? same : modified;
  if (left.length >= 2)
    return { changed: right.length === 0 ? undefined : yield* everything(right[0], atom), removed: leaf };
  return { changed: leaf, removed: left.length === 0 ? undefined : yield* everything(left[0], atom) };
}

/** The node of a value that was not there before: it and all below it, down to what is one value. */
function* everything(value: unknown, atom: Atom): Steps<FieldSet> {
  const kind = kindOf(value, atom);
  if (kind === "scalar") return leaf;
  const below = new NodeBuilder(true);
  let seen = 0;
  if (kind === "map" && atom.map && !atom.map.atomic && isObject(value)) {
    for (const field of atom.map.fields) {
      const member = getOwn<unknown>(value, field.name);
      if (member === undefined) continue;
      below.add(field.element, isScalar(member) ? leaf : yield* everything(member, field.atom));
      if (++seen % elementsPerStep === 0) yield stepMicros;
    }
    if (atom.map.element)
      for (const name of yield* otherNames(atom.map, undefined, value)) {
        const member = getOwn<unknown>(value, name);
        below.add(fieldElement(name), isScalar(member) ? leaf : yield* everything(member, atom.map.element));
        if (++seen % elementsPerStep === 0) yield stepMicros;
      }
  } else if (kind === "list" && atom.list?.associative && isList(value)) {
    for (const [element, items] of yield* itemsByElement(value, atom.list)) {
      const item = items.length > 1 ? undefined : items[0];
      below.add(element, isScalar(item) ? leaf : yield* everything(item, atom.list.element));
      if (++seen % elementsPerStep === 0) yield stepMicros;
    }
  }
  yield seen % elementsPerStep;
  return (yield* below.ordered()) ?? leaf;
}

const isScalar = (value: unknown): boolean => typeof value !== "object" || value === null;
