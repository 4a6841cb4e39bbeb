import { equalJson } from "../json/equal.js";
import { getOwn } from "../own/index.js";
import { isList, isObject, type JsonObject } from "../patch/json-value.js";
import { compareUtf8 } from "../text/utf8-order.js";
import { type Atom, kindOf, type ListAtom, type MapAtom } from "./atom.js";
import { emptySet, type FieldSet, leaf, NodeBuilder, unionNodes } from "./field-set.js";
import { itemsByElement } from "./list-item.js";
import { fieldElement, type PathElement } from "./path-element.js";

/** How one object differs from another of the same type. */
export interface Comparison {
  /** Paths added, and paths whose value is another. */
  readonly changed: FieldSet;
  readonly removed: FieldSet;
}

/** Compares two objects of the type `atom`; what is one and the same value in both is not looked into. */
export function compareObjects(before: JsonObject, after: JsonObject, atom: Atom): Comparison {
  const { changed = emptySet, removed = emptySet } = compare(before, after, atom);
  return { changed, removed };
}

/** Of one value: its nodes in both sets. */
interface Nodes {
  readonly changed: FieldSet | undefined;
  readonly removed: FieldSet | undefined;
}
const same: Nodes = { changed: undefined, removed: undefined };
const modified: Nodes = { changed: leaf, removed: undefined };

/** Absent is undefined, which is not null. */
function compare(before: unknown, after: unknown, atom: Atom): Nodes {
  if (before === after) return same;
  if (before === undefined) return { changed: everything(after, atom), removed: undefined };
  if (after === undefined) return { changed: undefined, removed: everything(before, atom) };
  const kind = kindOf(after, atom);
  const kindBefore = kindOf(before, atom);
  if (kindBefore === kind) return compareAs(kind, before, after, atom);
  // The value became another kind of thing: it is compared as both.
  const [left, right] = [compareAs(kindBefore, before, after, atom), compareAs(kind, before, after, atom)];
  return { changed: unite(left.changed, right.changed), removed: unite(left.removed, right.removed) };
}

function compareAs(kind: "scalar" | "list" | "map", before: unknown, after: unknown, atom: Atom): Nodes {
  if (kind === "map" && atom.map && !atom.map.atomic) return compareMaps(before, after, atom.map);
  if (kind === "list" && atom.list?.associative) return compareLists(before, after, atom.list);
  return equalJson(before, after) ? same : modified;
}

function unite(a: FieldSet | undefined, b: FieldSet | undefined): FieldSet | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return unionNodes(a, b);
}

function compareMaps(before: unknown, after: unknown, map: MapAtom): Nodes {
  const left = isObject(before) ? before : undefined;
  const right = isObject(after) ? after : undefined;
  if (isBare(left) && isBare(right)) return equalJson(before, after) ? same : modified;
  const changed = new NodeBuilder();
  const removed = new NodeBuilder();
  for (const { name, element, atom } of map.fields)
    note(changed, removed, element, compare(getOwn<unknown>(left, name), getOwn<unknown>(right, name), atom));
  if (map.element === undefined) return { changed: changed.children, removed: removed.children };
  for (const name of otherNames(map, left, right))
    note(
      changed,
      removed,
      fieldElement(name),
      compare(getOwn<unknown>(left, name), getOwn<unknown>(right, name), map.element),
    );
  if (map.fields.length === 0) return { changed: changed.children, removed: removed.children };
  return { changed: changed.ordered, removed: removed.ordered };
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
function otherNames(map: MapAtom, left: JsonObject | undefined, right: JsonObject | undefined): string[] {
  const names: string[] = [];
  for (const name in left) if (!map.byName.has(name)) names.push(name);
  for (const name in right) if (!map.byName.has(name) && getOwn<unknown>(left, name) === undefined) names.push(name);
  return names.length < 2 ? names : names.sort(compareUtf8);
}

function compareLists(before: unknown, after: unknown, list: ListAtom): Nodes {
  const left = isList(before) ? before : [];
  const right = isList(after) ? after : [];
  if (left.length === 0 && right.length === 0) return equalJson(before, after) ? same : modified;
  if (left.length === right.length && left.every((item, index) => item === right[index])) return same;
  const lefts = itemsByElement(left, list);
  const rights = itemsByElement(right, list);
  const changed = new NodeBuilder();
  const removed = new NodeBuilder();
  for (const element of new Set([...lefts.keys(), ...rights.keys()])) {
    note(changed, removed, element, compareItems(lefts.get(element) ?? [], rights.get(element) ?? [], list.element));
  }
  return { changed: changed.ordered, removed: removed.ordered };
}

/** Items with one identity. Duplicates are one value together; an item that becomes or ceases to be one is removed and added. */
function compareItems(left: readonly unknown[], right: readonly unknown[], atom: Atom): Nodes {
  if (left.length <= 1 && right.length <= 1) return compare(left[0], right[0], atom);
  if (left.length >= 2 && right.length >= 2) return equalJson(left, right) ? same : modified;
  if (left.length >= 2) return { changed: right.length === 0 ? undefined : everything(right[0], atom), removed: leaf };
  return { changed: leaf, removed: left.length === 0 ? undefined : everything(left[0], atom) };
}

/** The node of a value that was not there before: it and all below it, down to what is one value. */
function everything(value: unknown, atom: Atom): FieldSet {
  const kind = kindOf(value, atom);
  if (kind === "scalar") return leaf;
  const below = new NodeBuilder(true);
  if (kind === "map" && atom.map && !atom.map.atomic && isObject(value)) {
    for (const field of atom.map.fields) {
      const member = getOwn<unknown>(value, field.name);
      if (member !== undefined) below.add(field.element, everything(member, field.atom));
    }
    if (atom.map.element)
      for (const name of otherNames(atom.map, undefined, value))
        below.add(fieldElement(name), everything(getOwn<unknown>(value, name), atom.map.element));
  } else if (kind === "list" && atom.list?.associative && isList(value)) {
    for (const [element, items] of itemsByElement(value, atom.list))
      below.add(element, items.length > 1 ? leaf : everything(items[0], atom.list.element));
  }
  return below.ordered ?? leaf;
}
