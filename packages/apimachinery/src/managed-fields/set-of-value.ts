import { getOwn } from "../own/index.js";
import { isList, isObject, type JsonObject } from "../patch/json-value.js";
import { type Atom, kindOf, type ListAtom, type MapAtom } from "./atom.js";
import { emptySet, type FieldSet, leaf, makeNode, NodeBuilder } from "./field-set.js";
import { itemsByElement } from "./list-item.js";
import { fieldElement } from "./path-element.js";

/**
 * The fields that an applied object names: scalars and whole values, items of lists, and members of maps.
 * The members of a struct are not owned for themselves, only for what is in them.
 */
export function setOfObject(object: JsonObject, atom: Atom): FieldSet {
  return nodeOf(object, atom).children ?? emptySet;
}

interface Node {
  /** Whether the value counts for itself. */
  readonly member: boolean;
  readonly children: FieldSet | undefined;
}
const whole: Node = { member: true, children: undefined };

function nodeOf(value: unknown, atom: Atom): Node {
  const kind = kindOf(value, atom);
  if (kind === "map" && atom.map && !atom.map.atomic)
    return { member: false, children: isObject(value) ? membersOf(value, atom.map) : undefined };
  if (kind === "list" && atom.list?.associative)
    return { member: false, children: isList(value) ? itemsOf(value, atom.list) : undefined };
  return whole;
}

function membersOf(object: JsonObject, map: MapAtom): FieldSet | undefined {
  const builder = new NodeBuilder();
  for (const field of map.fields) {
    const value = getOwn<unknown>(object, field.name);
    if (value === undefined) continue;
    const { member, children } = nodeOf(value, field.atom);
    builder.add(field.element, makeNode(children, member || value === null || isEmptyObject(value)));
  }
  if (map.element) {
    for (const name in object)
      if (!map.byName.has(name))
        builder.add(fieldElement(name), makeNode(nodeOf(getOwn<unknown>(object, name), map.element).children, true));
  }
  return map.element ? builder.ordered : builder.children;
}

const isEmptyObject = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

function itemsOf(items: readonly unknown[], list: ListAtom): FieldSet | undefined {
  const builder = new NodeBuilder();
  for (const [element, same] of itemsByElement(items, list, { lenient: true })) {
    builder.add(element, same.length > 1 ? leaf : makeNode(nodeOf(same[0], list.element).children, true));
  }
  return builder.ordered;
}
