import type { Steps } from "@coxswain/runtime/steps";
import { getOwn } from "../own/index.js";
import { isList, isObject, type JsonObject } from "../patch/json-value.js";
import { type Atom, kindOf, type ListAtom, type MapAtom } from "./atom.js";
import { elementsPerStep, stepMicros } from "./element-steps.js";
import { emptySet, type FieldSet, leaf, makeNodeInSteps, NodeBuilder } from "./field-set.js";
import { itemsByElement } from "./list-item.js";
import { fieldElement } from "./path-element.js";

/**
 * The fields that an applied object names: scalars and whole values, items of lists, and members of maps.
 * The members of a struct are not owned for themselves, only for what is in them.
 */
export function* setOfObject(object: JsonObject, atom: Atom): Steps<FieldSet> {
  return (yield* nodeOf(object, atom)).children ?? emptySet;
}

interface Node {
  /** Whether the value counts for itself. */
  readonly member: boolean;
  readonly children: FieldSet | undefined;
}
const whole: Node = { member: true, children: undefined };

function* nodeOf(value: unknown, atom: Atom): Steps<Node> {
  const kind = kindOf(value, atom);
  if (kind === "map" && atom.map && !atom.map.atomic)
    return { member: false, children: isObject(value) ? yield* membersOf(value, atom.map) : undefined };
  if (kind === "list" && atom.list?.associative)
    return { member: false, children: isList(value) ? yield* itemsOf(value, atom.list) : undefined };
  return whole;
}

function* membersOf(object: JsonObject, map: MapAtom): Steps<FieldSet | undefined> {
  const builder = new NodeBuilder();
  let seen = 0;
  for (const field of map.fields) {
    const value = getOwn<unknown>(object, field.name);
    if (value === undefined) continue;
    const { member, children } = yield* nodeOf(value, field.atom);
    builder.add(field.element, yield* makeNodeInSteps(children, member || value === null || isEmptyObject(value)));
    if (++seen % elementsPerStep === 0) yield stepMicros;
  }
  yield seen % elementsPerStep;
  if (!map.element) return builder.children;
  for (const name in object) {
    if (!map.byName.has(name))
      builder.add(fieldElement(name), yield* ownedNode(getOwn<unknown>(object, name), map.element));
    if (++seen % elementsPerStep === 0) yield stepMicros;
  }
  return yield* builder.ordered();
}

const isEmptyObject = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

function* itemsOf(items: readonly unknown[], list: ListAtom): Steps<FieldSet | undefined> {
  const builder = new NodeBuilder();
  let seen = 0;
  for (const [element, same] of yield* itemsByElement(items, list, { lenient: true })) {
    builder.add(element, same.length > 1 ? leaf : yield* ownedNode(same[0], list.element));
    if (++seen % elementsPerStep === 0) yield stepMicros;
  }
  yield seen % elementsPerStep;
  return yield* builder.ordered();
}

/** Of a member of a map or an item of a list, which counts for itself. */
function* ownedNode(value: unknown, atom: Atom): Steps<FieldSet | undefined> {
  if (typeof value !== "object" || value === null) return leaf;
  return yield* makeNodeInSteps((yield* nodeOf(value, atom)).children, true);
}
