import type { Steps } from "@coxswain/runtime/steps";
import type { Atom } from "./atom.js";
import { elementsPerStep, stepMicros } from "./element-steps.js";
import { type FieldSet, isEmpty, leaf, self } from "./field-set.js";

/**
 * A set that was written when the type was another: where a list, map or struct is one value now, the owner of any part
 * owns all of it. (What became many values stays as it is: upstream advises against that change.)
 * Answers `set` itself if nothing is to be done, which is nearly always.
 */
export function* reconcileWithType(set: FieldSet, atom: Atom): Steps<FieldSet> {
  if (atom.map ? atom.map.isUntyped : !atom.list) return set;
  let out: Record<string, FieldSet> | undefined;
  let seen = 0;
  for (const element in set) {
    if (++seen % elementsPerStep === 0) yield stepMicros;
    if (element === self) continue;
    const inner = innerAtom(element, atom);
    if (inner === undefined) continue;
    const node = set[element] as FieldSet;
    const reconciled = yield* reconcileNode(node, inner);
    if (reconciled === node) continue;
    out ??= { ...set };
    out[element] = reconciled;
  }
  yield seen % elementsPerStep;
  return out ?? set;
}

/** Upstream does not look at the value here: what may be a map is taken for one. */
function innerAtom(element: string, atom: Atom): Atom | undefined {
  if (!atom.map) return atom.list?.element;
  return atom.map.byElement.get(element)?.atom ?? atom.map.element;
}

function* reconcileNode(node: FieldSet, atom: Atom): Steps<FieldSet> {
  if (atom.map) {
    if (atom.map.isUntyped) return node;
    return atom.map.atomic ? wholeOf(node) : yield* reconcileWithType(node, atom);
  }
  if (atom.scalar || !atom.list) return node;
  return atom.list.associative ? yield* reconcileWithType(node, atom) : wholeOf(node);
}

const wholeOf = (node: FieldSet): FieldSet => (isEmpty(node) ? node : leaf);
