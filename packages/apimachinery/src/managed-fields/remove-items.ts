import type { Steps } from "@coxswain/runtime/steps";
import { getOwn, setOwn } from "../own/index.js";
import { isList, isObject, type JsonObject } from "../patch/json-value.js";
import { type Atom, kindOf } from "./atom.js";
import { elementsPerStep, stepMicros } from "./element-steps.js";
import { type FieldSet, isEmpty, isMember, leaf, self } from "./field-set.js";
import { itemElement } from "./list-item.js";
import { fieldElement } from "./path-element.js";

/** The object without the members and items that `doomed` names. Shares what it does not name. */
export function* removeItems(object: JsonObject, doomed: FieldSet, atom: Atom): Steps<JsonObject> {
  return (isEmpty(doomed) ? object : yield* remove(object, doomed, atom)) as JsonObject;
}

/** Null is what is left of a list or map that loses everything, and of one that is empty or one value. */
function* remove(value: unknown, doomed: FieldSet, atom: Atom): Steps<unknown> {
  let seen = 0;
  const kind = kindOf(value, atom);
  if (kind === "list" && atom.list) {
    const { list } = atom;
    if (!list.associative || !isList(value)) return null;
    const kept: unknown[] = [];
    for (const item of value) {
      const node = doomed[itemElement(item, list)];
      if (node === undefined) kept.push(item);
      else if (!isMember(node)) kept.push(yield* remove(item, node, list.element));
      if (++seen % elementsPerStep === 0) yield stepMicros;
    }
    return kept.length > 0 ? kept : null;
  }
  if (kind === "map" && atom.map) {
    if (atom.map.atomic || !isObject(value)) return null;
    const out: Record<string, unknown> = {};
    for (const name in value) {
      const node = doomed[fieldElement(name)];
      const member = getOwn<unknown>(value, name);
      if (++seen % elementsPerStep === 0) yield stepMicros;
      if (node === undefined) setOwn(out, name, member);
      else if (!isMember(node)) setOwn(out, name, yield* remove(member, node, atom.map.atomOf(name) ?? unknownMember));
    }
    return isEmpty(out as FieldSet) ? null : out;
  }
  return value;
}

const unknownMember: Atom = { scalar: "untyped", list: undefined, map: undefined };

/**
 * The set with the members of structs that have something below them: `.spec.replicas` brings `.spec`.
 * Items of lists and members of maps are not brought: they are owned or not for themselves.
 */
export function* withNamedFields(set: FieldSet, atom: Atom | undefined): Steps<FieldSet> {
  const out: Record<string, FieldSet> = {};
  let seen = 0;
  for (const element in set) {
    if (++seen % elementsPerStep === 0) yield stepMicros;
    const node = set[element] as FieldSet;
    if (element === self || isEmpty(node)) {
      out[element] = node;
      continue;
    }
    const field = element.startsWith("f:") ? atom?.map?.byElement.get(element) : undefined;
    const inner = field
      ? field.atom
      : element.startsWith("f:")
        ? atom?.map?.element
        : element.startsWith("k:")
          ? atom?.list?.element
          : undefined;
    const below = yield* withNamedFields(node, inner);
    out[element] = field && !isMember(below) ? { [self]: leaf, ...below } : below;
  }
  yield seen % elementsPerStep;
  return out;
}
