import { compareElements, type PathElement } from "./path-element.js";

/**
 * A set of paths, in the form of FieldsV1 itself: a tree whose members are path elements. A path belongs to the set if its
 * node is empty or has the member ".". So decoding and encoding cost nothing, and what does not change is shared.
 *
 * Sets are never changed. Elements are canonical and stand in order, "." first. Every element begins with a letter and a
 * colon, so that no user can name a member of Object.prototype: plain indexing is safe here.
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

const hasChildren = (node: FieldSet): boolean => {
  for (const element in node) if (element !== self) return true;
  return false;
};

/** A node from its children (in order) and its membership; undefined if there is neither. */
export function makeNode(children: FieldSet | undefined, member: boolean): FieldSet | undefined {
  if (children === undefined || isEmpty(children)) return member ? leaf : undefined;
  return member ? { [self]: leaf, ...children } : children;
}

/** The same children, without the node's own membership. */
export function childrenOf(node: FieldSet): FieldSet {
  if (node[self] === undefined) return node;
  const children: Draft = {};
  for (const element in node) if (element !== self) children[element] = node[element] as FieldSet;
  return children;
}

/** Adds `path` to a set that is being built; for small sets written out in code. */
export function setOf(...paths: readonly (readonly PathElement[])[]): FieldSet {
  return paths
    .map((path) => path.reduceRight<FieldSet>((below, element) => ({ [element]: below }), leaf))
    .reduce(union, emptySet);
}

/** Paths of either. Answers `a` itself if `b` adds nothing. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmpty(b)) return a;
  if (isEmpty(a)) return b;
  let out: Draft | undefined;
  let grew = false;
  for (const element in b) {
    const right = b[element] as FieldSet;
    const left = a[element];
    const both = left === undefined ? right : unionNodes(left, right);
    if (both === left) continue;
    out ??= { ...a };
    out[element] = both;
    if (left === undefined) grew = true;
  }
  return out === undefined ? a : grew ? inOrder(out) : out;
}

/** The union of two nodes of one path. */
export function unionNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  const below = hasChildren(a) ? (hasChildren(b) ? union(childrenOf(a), childrenOf(b)) : childrenOf(a)) : childrenOf(b);
  const node = makeNode(below, isMember(a) || isMember(b)) ?? leaf;
  return sameShallow(node, a) ? a : node;
}

/** Paths of `a` that are not in `b`; a path of `b` takes nothing below it away. Answers `a` itself if `b` takes nothing. */
export const difference = (a: FieldSet, b: FieldSet): FieldSet => subtract(a, b, false);

/** Paths of `a` that are not in `b`, nor below a path in `b`. */
export const differenceWithBelow = (a: FieldSet, b: FieldSet): FieldSet => subtract(a, b, true);

function subtract(a: FieldSet, b: FieldSet, below: boolean): FieldSet {
  let out: Draft | undefined;
  for (const element in a) {
    const left = a[element] as FieldSet;
    const right = element === self ? undefined : b[element];
    const rest = right === undefined ? left : subtractNodes(left, right, below);
    if (rest !== left) out ??= membersBefore(element, a);
    if (out && rest !== undefined) out[element] = rest;
  }
  return out ?? a;
}

/** Sets are built anew rather than taken from: a member that is deleted makes an object slow for good. */
function membersBefore(end: PathElement, set: FieldSet): Draft {
  const out: Draft = {};
  for (const element in set) {
    if (element === end) break;
    out[element] = set[element] as FieldSet;
  }
  return out;
}

function subtractNodes(a: FieldSet, b: FieldSet, below: boolean): FieldSet | undefined {
  const taken = isMember(b);
  if (taken && below) return undefined;
  const member = isMember(a);
  const rest = hasChildren(b) && hasChildren(a) ? subtract(a, b, below) : a;
  if (rest === a && !(member && taken)) return a;
  return makeNode(hasChildren(rest) ? childrenOf(rest) : undefined, member && !taken);
}

/** Paths of both. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const out: Draft = {};
  for (const element in a) {
    const right = b[element];
    if (element === self || right === undefined) continue;
    const left = a[element] as FieldSet;
    const below = hasChildren(left) && hasChildren(right) ? intersection(left, right) : undefined;
    const both = makeNode(below, isMember(left) && isMember(right));
    if (both !== undefined) out[element] = both;
  }
  return out;
}

/** Whether every path of `a` is in `b`. */
export function isSubset(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  for (const element in a) {
    if (element === self) continue;
    const left = a[element] as FieldSet;
    const right = b[element];
    if (right === undefined || (isMember(left) && !isMember(right)) || !isSubset(left, right)) return false;
  }
  return true;
}

export function equalSets(a: FieldSet, b: FieldSet): boolean {
  return isSubset(a, b) && isSubset(b, a);
}

export function has(set: FieldSet, path: readonly PathElement[]): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) node = node?.[element];
  return path.length > 0 && node !== undefined && isMember(node);
}

/** Each path of the set: at every level first the paths that end there, then those below, both in order. */
export function* pathsOf(set: FieldSet, prefix: readonly PathElement[] = []): Generator<readonly PathElement[]> {
  for (const element in set) if (element !== self && isMember(set[element] as FieldSet)) yield [...prefix, element];
  for (const element in set) {
    const node = set[element] as FieldSet;
    if (element !== self && hasChildren(node)) yield* pathsOf(node, [...prefix, element]);
  }
}

/** The same node with its elements in order, "." first. */
export function inOrder(node: FieldSet): FieldSet {
  if (isInOrder(node)) return node;
  const out: Draft = {};
  for (const element of Object.keys(node).sort(order)) out[element] = node[element] as FieldSet;
  return out;
}

function isInOrder(node: FieldSet): boolean {
  let before = self;
  for (const element in node) {
    if (order(before, element) > 0) return false;
    before = element;
  }
  return true;
}

const order = (a: PathElement, b: PathElement): number =>
  a === self ? (b === self ? 0 : -1) : b === self ? 1 : compareElements(a, b);

function sameShallow(a: FieldSet, b: FieldSet): boolean {
  let count = 0;
  for (const element in a) {
    if (a[element] !== b[element]) return false;
    count++;
  }
  for (const _ in b) count--;
  return count === 0;
}

/** Gathers the children of a node. */
export class NodeBuilder {
  children: Record<PathElement, FieldSet> | undefined;
  readonly #isMember: boolean;

  /** @param isMember whether the node's own path belongs to the set. Known from the beginning: to add it later copies all children */
  constructor(isMember = false) {
    this.#isMember = isMember;
  }

  add(element: PathElement, node: FieldSet | undefined): void {
    if (node !== undefined) (this.children ??= this.#isMember ? { [self]: leaf } : {})[element] = node;
  }

  /** The same in order, where they were not added so. */
  get ordered(): FieldSet | undefined {
    return this.children && inOrder(this.children);
  }
}
