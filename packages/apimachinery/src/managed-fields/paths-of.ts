import { type FieldSet, hasChildren, isMember, self } from "./gen/field-set.js";
import type { PathElement } from "./path-element.js";

/** Each path of the set: at every level first the paths that end there, then those below, both in order. */
export function* pathsOf(set: FieldSet, prefix: readonly PathElement[] = []): Generator<readonly PathElement[]> {
  for (const element in set) if (element !== self && isMember(set[element] as FieldSet)) yield [...prefix, element];
  for (const element in set) {
    const node = set[element] as FieldSet;
    if (element !== self && hasChildren(node)) yield* pathsOf(node, [...prefix, element]);
  }
}
