import type { Steps } from "@coxswain/runtime/steps";
import { isObject } from "../patch/json-value.js";
import { canonicalSets } from "./canonical-sets.js";
import { elementsPerStep, stepMicros } from "./element-steps.js";
import {
  childrenInSteps,
  emptySet,
  type FieldSet,
  inOrderInSteps,
  isEmpty,
  leaf,
  makeNodeInSteps,
  self,
  unionNodesInSteps,
} from "./field-set.js";
import { canonicalElement, compareElements } from "./path-element.js";

/** Deeper sets are refused: the engines recurse. */
const maxDepth = 1_000;

/**
 * Reads FieldsV1 as any client may have written it: elements made canonical and put in order, kinds that nobody knows
 * dropped. What is canonical already is answered as it is. Throws where an element cannot be read.
 */
export function* readFieldsV1InSteps(fields: unknown): Steps<FieldSet> {
  if (fields === undefined || fields === null) return emptySet;
  if (!isObject(fields)) throw unreadable();
  const written = fields as FieldSet;
  if (canonicalSets.has(written)) return written;
  const set =
    written[self] === undefined && (yield* isCanonical(written, 0))
      ? written
      : yield* childrenInSteps(yield* readNode(written, 0));
  canonicalSets.add(set);
  return set;
}

function* isCanonical(node: FieldSet, depth: number): Steps<boolean> {
  if (depth > maxDepth) return false;
  let before = "";
  let seen = 0;
  for (const element in node) {
    if (element === self) {
      if (before !== "") return false;
    } else {
      const below = node[element];
      if (canonicalElement(element) !== element || !isObject(below)) return false;
      if (before !== "" && before !== self && compareElements(before, element) >= 0) return false;
      if (!isEmpty(below) && !(yield* isCanonical(below, depth + 1))) return false;
    }
    before = element;
    if (++seen % elementsPerStep === 0) yield stepMicros;
  }
  yield seen % elementsPerStep;
  return before !== self; // a lone "." is written as nothing at all
}

function* readNode(written: FieldSet, depth: number): Steps<FieldSet> {
  if (depth > maxDepth) throw new Error("exceeded max depth");
  const children: Record<string, FieldSet> = {};
  let seen = 0;
  for (const [text, value] of Object.entries(written)) {
    if (++seen % elementsPerStep === 0) yield stepMicros;
    const element = text === self ? undefined : canonicalElement(text);
    if (element === undefined) continue;
    if (value !== null && !isObject(value)) throw unreadable();
    const node = value === null ? leaf : yield* readNode(value, depth + 1);
    const other = children[element];
    children[element] = other === undefined ? node : yield* unionNodesInSteps(other, node);
  }
  yield seen % elementsPerStep;
  return (yield* makeNodeInSteps(yield* inOrderInSteps(children), written[self] !== undefined)) ?? leaf;
}

const unreadable = (): Error => new Error("ReadMapCB: expect { or n");
