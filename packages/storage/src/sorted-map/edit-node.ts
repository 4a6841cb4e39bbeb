import {
  type BranchNode,
  type LeafNode,
  lowOf,
  makeBranch,
  makeLeaf,
  maxBranch,
  maxLeaf,
  minBranch,
  minLeaf,
  sizeOf,
  type TreeNode,
} from "./node.js";
import { childIndex, lowerIndex } from "./search.js";

/** Who edits. With an `owner`, nodes that it made earlier are changed in place; without one, every changed node is new. */
export interface Edit {
  readonly owner: object | undefined;
  readonly exact: boolean;
}

/** Puts the entry in and returns the node that takes this one's place, plus its new right neighbour if it had to split. */
export function insert<V>(
  node: TreeNode<V>,
  key: string,
  value: V,
  edit: Edit,
): { node: TreeNode<V>; right?: TreeNode<V> } {
  return node.kind === "leaf" ? insertInLeaf(node, key, value, edit) : insertInBranch(node, key, value, edit);
}

/** Takes the key out. Returns the same node when it is not there; the result may be empty or too small. */
export function remove<V>(node: TreeNode<V>, key: string, edit: Edit): TreeNode<V> {
  return node.kind === "leaf" ? removeFromLeaf(node, key, edit) : removeFromBranch(node, key, edit);
}

function insertInLeaf<V>(
  leaf: LeafNode<V>,
  key: string,
  value: V,
  edit: Edit,
): { node: TreeNode<V>; right?: TreeNode<V> } {
  const at = lowerIndex(leaf.keys, key, edit.exact);
  if (leaf.keys[at] === key) {
    if (leaf.values[at] === value) return { node: leaf };
    const own = ownLeaf(leaf, edit);
    own.values[at] = value;
    return { node: own };
  }
  const own = ownLeaf(leaf, edit);
  own.keys.splice(at, 0, key);
  own.values.splice(at, 0, value);
  const length = own.keys.length;
  if (length <= maxLeaf) return { node: own };
  // Keys that arrive in order fill each leaf before the next one begins.
  const cut = at === length - 1 ? length - 1 : length >>> 1;
  return { node: own, right: makeLeaf(own.keys.splice(cut), own.values.splice(cut), edit.owner) };
}

function insertInBranch<V>(
  branch: BranchNode<V>,
  key: string,
  value: V,
  edit: Edit,
): { node: TreeNode<V>; right?: TreeNode<V> } {
  const at = childIndex(branch.lows, key, edit.exact);
  const child = branch.children[at]!;
  const before = sizeOf(child);
  const result = insert(child, key, value, edit);
  if (result.node === child && result.right === undefined && sizeOf(child) === before) return { node: branch };
  const own = ownBranch(branch, edit);
  own.children[at] = result.node;
  own.size += sizeOf(result.node) + (result.right === undefined ? 0 : sizeOf(result.right)) - before;
  if (result.right === undefined) return { node: own };
  own.children.splice(at + 1, 0, result.right);
  own.lows.splice(at + 1, 0, lowOf(result.right));
  const length = own.children.length;
  if (length <= maxBranch) return { node: own };
  const cut = at === length - 2 ? length - 2 : length >>> 1;
  const right = makeBranch(own.lows.splice(cut), own.children.splice(cut), edit.owner);
  own.size -= right.size;
  return { node: own, right };
}

function removeFromLeaf<V>(leaf: LeafNode<V>, key: string, edit: Edit): TreeNode<V> {
  const at = lowerIndex(leaf.keys, key, edit.exact);
  if (leaf.keys[at] !== key) return leaf;
  const own = ownLeaf(leaf, edit);
  own.keys.splice(at, 1);
  own.values.splice(at, 1);
  return own;
}

function removeFromBranch<V>(branch: BranchNode<V>, key: string, edit: Edit): TreeNode<V> {
  const at = childIndex(branch.lows, key, edit.exact);
  const child = branch.children[at]!;
  const before = sizeOf(child);
  const smaller = remove(child, key, edit);
  if (sizeOf(smaller) === before && smaller === child) return branch;
  const own = ownBranch(branch, edit);
  own.children[at] = smaller;
  own.size -= before - sizeOf(smaller);
  if (isEmpty(smaller)) {
    own.children.splice(at, 1);
    own.lows.splice(at, 1);
  } else if (isSmall(smaller)) {
    joinNeighbours(own, at, edit);
  }
  return own;
}

const widthOf = <V>(node: TreeNode<V>): number => (node.kind === "leaf" ? node.keys.length : node.children.length);
const isEmpty = <V>(node: TreeNode<V>): boolean => widthOf(node) === 0;
const isSmall = <V>(node: TreeNode<V>): boolean => widthOf(node) < (node.kind === "leaf" ? minLeaf : minBranch);

/** Merges the small child with a neighbour when the two leave room for growth; otherwise it stays small, which is harmless. */
function joinNeighbours<V>(parent: BranchNode<V>, at: number, edit: Edit): void {
  for (const left of [at - 1, at]) {
    const a = parent.children[left];
    const b = parent.children[left + 1];
    if (a === undefined || b === undefined) continue;
    const joined = join(a, b, parent.lows[left + 1]!, edit);
    if (joined === undefined) continue;
    parent.children.splice(left, 2, joined);
    parent.lows.splice(left + 1, 1);
    return;
  }
}

function join<V>(a: TreeNode<V>, b: TreeNode<V>, lowOfB: string, edit: Edit): TreeNode<V> | undefined {
  if (a.kind === "leaf" && b.kind === "leaf") {
    if (a.keys.length + b.keys.length > (maxLeaf * 3) / 4) return undefined;
    return makeLeaf(a.keys.concat(b.keys), a.values.concat(b.values), edit.owner);
  }
  if (a.kind === "branch" && b.kind === "branch") {
    if (a.children.length + b.children.length > (maxBranch * 3) / 4) return undefined;
    // A branch does not keep its own first low true; its parent does.
    return makeBranch(a.lows.concat(lowOfB, b.lows.slice(1)), a.children.concat(b.children), edit.owner);
  }
  return undefined;
}

function ownLeaf<V>(leaf: LeafNode<V>, edit: Edit): LeafNode<V> {
  if (edit.owner !== undefined && leaf.owner === edit.owner) return leaf;
  return makeLeaf(leaf.keys.slice(), leaf.values.slice(), edit.owner);
}

function ownBranch<V>(branch: BranchNode<V>, edit: Edit): BranchNode<V> {
  if (edit.owner !== undefined && branch.owner === edit.owner) return branch;
  return {
    kind: "branch",
    owner: edit.owner,
    lows: branch.lows.slice(),
    children: branch.children.slice(),
    size: branch.size,
  };
}
