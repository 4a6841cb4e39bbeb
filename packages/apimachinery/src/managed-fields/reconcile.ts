import type { Atom } from "./atom.js";
import { type FieldSet, isEmpty, leaf, self } from "./field-set.js";

/**
 * A set that was written when the type was another: where a list, map or struct is one value now, the owner of any part
 * owns all of it. (What became many values stays as it is: upstream advises against that change.)
 * Answers `set` itself if nothing is to be done, which is nearly always.
 */
export function reconcileWithType(set: FieldSet, atom: Atom): FieldSet {
  if (atom.map ? atom.map.isUntyped : !atom.list) return set;
  let out: Record<string, FieldSet> | undefined;
  for (const element in set) {
    if (element === self) continue;
    const inner = innerAtom(element, atom);
    if (inner === undefined) continue;
    const node = set[element] as FieldSet;
    const reconciled = reconcileNode(node, inner);
    if (reconciled === node) continue;
    out ??= { ...set };
    out[element] = reconciled;
  }
  return out ?? set;
}

/** Upstream does not look at the value here: what may be a map is taken for one. */
function innerAtom(element: string, atom: Atom): Atom | undefined {
  if (!atom.map) return atom.list?.element;
  return atom.map.byElement.get(element)?.atom ?? atom.map.element;
}

function reconcileNode(node: FieldSet, atom: Atom): FieldSet {
  if (isEmpty(node)) return node;
  if (atom.map) {
    if (atom.map.isUntyped) return node;
    return atom.map.atomic ? leaf : reconcileWithType(node, atom);
  }
  if (atom.scalar || !atom.list) return node;
  return atom.list.associative ? reconcileWithType(node, atom) : leaf;
}
