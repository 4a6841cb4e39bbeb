import type { Steps } from "@coxswain/runtime/steps";
import { elementsPerStep, stepMicros } from "./element-steps.js";
import {
  differenceWithBelowInSteps,
  type FieldSet,
  isMember,
  makeNodeInSteps,
  NodeBuilder,
  self,
} from "./field-set.js";
import { fieldElement, type PathElement } from "./path-element.js";

/** Keeps from a set what a resource lets its writers own; the rest is reset on every write. */
export type FieldFilter =
  /** Drops these paths and all below them: `status` for the main resource, `spec` for the status subresource. */
  | { readonly excluded: FieldSet }
  /** Keeps only what begins with one of these paths; their elements may be `anyElement`. */
  | { readonly included: readonly (readonly PathElement[])[] };

/** Stands for any one element. */
export const anyElement = "*";

export const excludeFields = (excluded: FieldSet): FieldFilter => ({ excluded });

/** The elements of the prefixes are names, or `anyElement`. */
export const includeFields = (...prefixes: readonly (readonly string[])[]): FieldFilter => ({
  included: prefixes.map((prefix) => prefix.map((part) => (part === anyElement ? part : fieldElement(part)))),
});

export function* filterSet(filter: FieldFilter, set: FieldSet): Steps<FieldSet> {
  if ("excluded" in filter) return yield* differenceWithBelowInSteps(set, filter.excluded);
  return (yield* keep(set, filter.included)) ?? {};
}

function* keep(set: FieldSet, patterns: readonly (readonly PathElement[])[]): Steps<FieldSet | undefined> {
  const builder = new NodeBuilder();
  let seen = 0;
  for (const element in set) {
    if (++seen % elementsPerStep === 0) yield stepMicros;
    if (element === self) continue;
    const matching = patterns
      .filter(([first]) => first === element || first === anyElement)
      .map((pattern) => pattern.slice(1));
    if (matching.length === 0) continue;
    const node = set[element] as FieldSet;
    const whole = matching.some((pattern) => pattern.length === 0);
    builder.add(element, whole ? node : yield* makeNodeInSteps(yield* keep(node, matching), isMember(node)));
  }
  return builder.children;
}
