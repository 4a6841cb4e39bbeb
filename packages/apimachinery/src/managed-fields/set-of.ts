import { emptySet, type FieldSet, isSubset, leaf, union } from "./gen/field-set.js";
import type { PathElement } from "./path-element.js";

/** The set of these paths; for small sets written out in code. */
export function setOf(...paths: readonly (readonly PathElement[])[]): FieldSet {
  return paths
    .map((path) => path.reduceRight<FieldSet>((below, element) => ({ [element]: below }), leaf))
    .reduce(union, emptySet);
}

export const equalSets = (a: FieldSet, b: FieldSet): boolean => isSubset(a, b) && isSubset(b, a);
