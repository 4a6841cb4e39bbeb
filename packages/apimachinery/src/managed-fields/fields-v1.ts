import { isObject } from "../patch/json-value.js";
import { childrenOf, emptySet, type FieldSet, isEmpty, leaf, makeNode, self, union } from "./field-set.js";
import { canonicalElement, compareElements } from "./path-element.js";

/** Deeper sets are refused: the engines recurse. */
const maxDepth = 1_000;
/** Sets known to be canonical: those made here, and those already read. */
const canonical = new WeakSet<FieldSet>();

/**
 * Reads FieldsV1 as any client may have written it: elements made canonical and put in order, kinds that nobody knows
 * dropped. What is canonical already is answered as it is. Throws where an element cannot be read.
 */
export function readFieldsV1(fields: unknown): FieldSet {
  if (fields === undefined || fields === null) return emptySet;
  if (!isObject(fields)) throw unreadable();
  const written = fields as FieldSet;
  if (canonical.has(written)) return written;
  const set = written[self] === undefined && isCanonical(written, 0) ? written : childrenOf(readNode(written, 0));
  canonical.add(set);
  return set;
}

function isCanonical(node: FieldSet, depth: number): boolean {
  if (depth > maxDepth) return false;
  let before = "";
  for (const element in node) {
    if (element === self) {
      if (before !== "") return false;
    } else {
      const below = node[element];
      if (canonicalElement(element) !== element || !isObject(below)) return false;
      if (before !== "" && before !== self && compareElements(before, element) >= 0) return false;
      if (!isCanonical(below, depth + 1)) return false;
    }
    before = element;
  }
  return before !== self; // a lone "." is written as nothing at all
}

function readNode(written: FieldSet, depth: number): FieldSet {
  if (depth > maxDepth) throw new Error("exceeded max depth");
  let children: FieldSet = emptySet;
  for (const [text, value] of Object.entries(written)) {
    const element = text === self ? undefined : canonicalElement(text);
    if (element === undefined) continue;
    if (value !== null && !isObject(value)) throw unreadable();
    children = union(children, { [element]: value === null ? leaf : readNode(value, depth + 1) });
  }
  return isEmpty(children) ? leaf : (makeNode(children, written[self] !== undefined) ?? leaf);
}

const unreadable = (): Error => new Error("ReadMapCB: expect { or n");
