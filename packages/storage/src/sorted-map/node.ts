/**
 * The tree's nodes. A node is never changed once a map that holds it has been handed out: a change makes new nodes on the
 * path from the leaf to the root and shares all others. `owner` is the editor that made the node and may still change it.
 */
export interface Leaf<V> {
  readonly keys: readonly string[];
  readonly values: readonly V[];
}

export interface LeafNode<V> extends Leaf<V> {
  readonly kind: "leaf";
  owner: object | undefined;
  keys: string[];
  values: V[];
}

export interface BranchNode<V> {
  readonly kind: "branch";
  owner: object | undefined;
  /** `lows[i]` is at or before every key of `children[i]`, and after every key of the child before it. `lows[0]` is never looked at. */
  lows: string[];
  children: TreeNode<V>[];
  /** Number of keys below. */
  size: number;
}

export type TreeNode<V> = LeafNode<V> | BranchNode<V>;

/** A leaf is also the unit that a caller compresses or encodes as a block, hence larger than fast edits alone would want. */
export const maxLeaf = 128;
export const maxBranch = 64;
/** A node smaller than this joins a neighbour if both fit in one with room to spare. */
export const minLeaf = maxLeaf / 4;
export const minBranch = maxBranch / 4;

export const sizeOf = <V>(node: TreeNode<V>): number => (node.kind === "leaf" ? node.keys.length : node.size);

export const makeLeaf = <V>(keys: string[], values: V[], owner: object | undefined): LeafNode<V> => ({
  kind: "leaf",
  owner,
  keys,
  values,
});

export function makeBranch<V>(lows: string[], children: TreeNode<V>[], owner: object | undefined): BranchNode<V> {
  let size = 0;
  for (const child of children) size += sizeOf(child);
  return { kind: "branch", owner, lows, children, size };
}

/** The first key that a node may hold, for its parent's `lows`. */
export const lowOf = <V>(node: TreeNode<V>): string => (node.kind === "leaf" ? node.keys[0] : node.lows[0]) ?? "";
