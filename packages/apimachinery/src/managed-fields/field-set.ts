import type { Steps } from "@coxswain/runtime/steps";
import { sortInSteps } from "../sort/index.js";
import { elementsPerStep, stepMicros } from "./element-steps.js";
import { compareElements, type PathElement } from "./path-element.js";

/**
 * A set of paths, in the form of FieldsV1 itself: a tree whose members are path elements. A path belongs to the set if its
 * node is empty or has the member ".". So decoding and encoding cost nothing, and what does not change is shared.
 *
 * Sets are never changed. Elements are canonical and stand in order, "." first. Every element begins with a letter and a
 * colon, so that no user can name a member of Object.prototype: plain indexing is safe here.
 *
 * A list of a custom object may have 250,000 elements: whatever goes through a set does so in steps. Nodes without children, which most
 * are, are looked at without a generator.
 */
export interface FieldSet {
  readonly [element: PathElement]: FieldSet;
}
type Draft = Record<PathElement, FieldSet>;

/** The node of a path that belongs to the set and has nothing below; as a whole set: the empty one. */
export const leaf: FieldSet = Object.freeze({});
export const emptySet: FieldSet = leaf;
/** The element that marks the path itself as a member of the set. */
export const self = ".";

export function isEmpty(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

/** Whether a node below the root marks its path as a member of the set. */
export const isMember = (node: FieldSet): boolean => node[self] !== undefined || isEmpty(node);

export const hasChildren = (node: FieldSet): boolean => {
  for (const element in node) if (element !== self) return true;
  return false;
};

/** A node from its children (in order) and its membership; undefined if there is neither. */
export function* makeNodeInSteps(children: FieldSet | undefined, member: boolean): Steps<FieldSet | undefined> {
  if (children === undefined || isEmpty(children)) return member ? leaf : undefined;
  return member ? yield* copyInSteps(children, { [self]: leaf }) : children;
}

/** The same children, without the node's own membership. */
export function* childrenInSteps(node: FieldSet): Steps<FieldSet> {
  return node[self] === undefined ? node : yield* copyInSteps(node, {});
}

/** Adds the children of a node to `into`. */
function* copyInSteps(node: FieldSet, into: Draft): Steps<Draft> {
  let seen = 0;
  for (const element in node) {
    if (element !== self) into[element] = node[element] as FieldSet;
    if (++seen % elementsPerStep === 0) yield stepMicros;
  }
  return into;
}

/** Paths of either. Answers `a` itself if `b` adds nothing. */
export function* unionInSteps(a: FieldSet, b: FieldSet): Steps<FieldSet> {
  if (a === b || isEmpty(b)) return a;
  if (isEmpty(a)) return b;
  let out: Draft | undefined;
  let grew = false;
  let seen = 0;
  for (const element in b) {
    const right = b[element] as FieldSet;
    const left = a[element];
    const both = left === undefined ? right : areLeaves(left, right) ? left : yield* unionNodesInSteps(left, right);
    if (++seen % elementsPerStep === 0) yield stepMicros;
    if (both === left) continue;
    out ??= yield* copyInSteps(a, a[self] ? { [self]: leaf } : {});
    out[element] = both;
    if (left === undefined) grew = true;
  }
  yield seen % elementsPerStep;
  return out === undefined ? a : grew ? yield* inOrderInSteps(out) : out;
}

const areLeaves = (a: FieldSet, b: FieldSet): boolean => isEmpty(a) && isEmpty(b);

/** The union of two nodes of one path. */
export function* unionNodesInSteps(a: FieldSet, b: FieldSet): Steps<FieldSet> {
  if (a === b) return a;
  const [left, right] = [hasChildren(a), hasChildren(b)];
  const below =
    left && right
      ? yield* unionInSteps(yield* childrenInSteps(a), yield* childrenInSteps(b))
      : yield* childrenInSteps(left ? a : b);
  const node = (yield* makeNodeInSteps(below, isMember(a) || isMember(b))) ?? leaf;
  return (yield* isSameShallow(node, a)) ? a : node;
}

/** Paths of `a` that are not in `b`; a path of `b` takes nothing below it away. Answers `a` itself if `b` takes nothing. */
export const differenceInSteps = (a: FieldSet, b: FieldSet): Steps<FieldSet> => subtract(a, b, false);

/** Paths of `a` that are not in `b`, nor below a path in `b`. */
export const differenceWithBelowInSteps = (a: FieldSet, b: FieldSet): Steps<FieldSet> => subtract(a, b, true);

function* subtract(a: FieldSet, b: FieldSet, below: boolean): Steps<FieldSet> {
  if (isEmpty(b)) return a;
  let out: Draft | undefined;
  let seen = 0;
  for (const element in a) {
    const left = a[element] as FieldSet;
    const right = element === self ? undefined : b[element];
    const rest =
      right === undefined ? left : areLeaves(left, right) ? undefined : yield* subtractNodes(left, right, below);
    if (rest !== left) out ??= yield* membersBefore(element, a);
    if (out && rest !== undefined) out[element] = rest;
    if (++seen % elementsPerStep === 0) yield stepMicros;
  }
  yield seen % elementsPerStep;
  return out ?? a;
}

/** Sets are built anew rather than taken from: a member that is deleted makes an object slow for good. */
function* membersBefore(end: PathElement, set: FieldSet): Steps<Draft> {
  const out: Draft = {};
  let seen = 0;
  for (const element in set) {
    if (element === end) break;
    out[element] = set[element] as FieldSet;
    if (++seen % elementsPerStep === 0) yield stepMicros;
  }
  return out;
}

function* subtractNodes(a: FieldSet, b: FieldSet, below: boolean): Steps<FieldSet | undefined> {
  const taken = isMember(b);
  if (taken && below) return undefined;
  const member = isMember(a);
  const rest = hasChildren(b) && hasChildren(a) ? yield* subtract(a, b, below) : a;
  if (rest === a && !(member && taken)) return a;
  return yield* makeNodeInSteps(hasChildren(rest) ? yield* childrenInSteps(rest) : undefined, member && !taken);
}

/** Paths of both. */
export function* intersectionInSteps(a: FieldSet, b: FieldSet): Steps<FieldSet> {
  const out: Draft = {};
  let seen = 0;
  for (const element in a) {
    if (++seen % elementsPerStep === 0) yield stepMicros;
    const right = b[element];
    if (element === self || right === undefined) continue;
    const left = a[element] as FieldSet;
    const below = hasChildren(left) && hasChildren(right) ? yield* intersectionInSteps(left, right) : undefined;
    const isBoth = isMember(left) && isMember(right);
    const both = below === undefined ? (isBoth ? leaf : undefined) : yield* makeNodeInSteps(below, isBoth);
    if (both !== undefined) out[element] = both;
  }
  yield seen % elementsPerStep;
  return out;
}

/** Whether every path of `a` is in `b`. */
export function* isSubsetInSteps(a: FieldSet, b: FieldSet): Steps<boolean> {
  if (a === b) return true;
  let seen = 0;
  for (const element in a) {
    if (++seen % elementsPerStep === 0) yield stepMicros;
    if (element === self) continue;
    const left = a[element] as FieldSet;
    const right = b[element];
    if (right === undefined || (isMember(left) && !isMember(right))) return false;
    if (hasChildren(left) && !(yield* isSubsetInSteps(left, right))) return false;
  }
  yield seen % elementsPerStep;
  return true;
}

export function has(set: FieldSet, path: readonly PathElement[]): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) node = node?.[element];
  return path.length > 0 && node !== undefined && isMember(node);
}

/** The same node with its elements in order, "." first. */
export function* inOrderInSteps(node: FieldSet): Steps<FieldSet> {
  if (yield* isInOrder(node)) return node;
  return yield* pickInSteps(node, Object.keys(node), {});
}

/** Adds these of a node's elements to `out`, in order. */
function* pickInSteps(node: FieldSet, elements: readonly PathElement[], out: Draft): Steps<Draft> {
  let seen = 0;
  for (const element of yield* sortInSteps(elements, order)) {
    out[element] = node[element] as FieldSet;
    if (++seen % elementsPerStep === 0) yield stepMicros;
  }
  return out;
}

function* isInOrder(node: FieldSet): Steps<boolean> {
  let before = self;
  let seen = 0;
  for (const element in node) {
    if (order(before, element) > 0) return false;
    before = element;
    if (++seen % elementsPerStep === 0) yield stepMicros;
  }
  return true;
}

const order = (a: PathElement, b: PathElement): number =>
  a === self ? (b === self ? 0 : -1) : b === self ? 1 : compareElements(a, b);

function* isSameShallow(a: FieldSet, b: FieldSet): Steps<boolean> {
  let count = 0;
  for (const element in a) {
    if (a[element] !== b[element]) return false;
    count += 1;
    if (count % elementsPerStep === 0) yield stepMicros;
  }
  for (const _ in b) {
    count -= 1;
    if (count % elementsPerStep === 0) yield stepMicros;
  }
  return count === 0;
}

/** Gathers the children of a node. */
export class NodeBuilder {
  children: Record<PathElement, FieldSet> | undefined;
  readonly #isMember: boolean;
  /** In the order in which they were added. */
  readonly #elements: PathElement[] = [];
  #isOrdered = true;

  /** @param isMember whether the node's own path belongs to the set. Known from the beginning: to add it later copies all children */
  constructor(isMember = false) {
    this.#isMember = isMember;
  }

  add(element: PathElement, node: FieldSet | undefined): void {
    if (node === undefined) return;
    const last = this.#elements.at(-1);
    if (last !== undefined && order(last, element) > 0) this.#isOrdered = false;
    this.#elements.push(element);
    (this.children ??= this.#isMember ? { [self]: leaf } : {})[element] = node;
  }

  /** The same in order, where they were not added so. */
  *ordered(): Steps<FieldSet | undefined> {
    if (this.#isOrdered || !this.children) return this.children;
    return yield* pickInSteps(this.children, this.#elements, this.#isMember ? { [self]: leaf } : {});
  }
}
