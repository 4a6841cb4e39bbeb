import { type LeafNode, sizeOf, type TreeNode } from "./node.js";

/** A stretch of one leaf: the entries `from` up to `to` (exclusive) of `leaf`. */
export interface LeafSlice<V> {
  readonly leaf: LeafNode<V>;
  readonly from: number;
  readonly to: number;
}

/** The leaves that hold the positions `from` up to `to` (exclusive), in order. */
export function* leafSlices<V>(node: TreeNode<V>, from: number, to: number): Generator<LeafSlice<V>, void> {
  if (from >= to) return;
  if (node.kind === "leaf") {
    yield { leaf: node, from, to };
    return;
  }
  let offset = 0;
  for (const child of node.children) {
    const size = sizeOf(child);
    if (offset + size > from) yield* leafSlices(child, Math.max(0, from - offset), Math.min(size, to - offset));
    offset += size;
    if (offset >= to) return;
  }
}

/** The leaf and the place in it of the entry at a position, which exists. */
export function entryAt<V>(root: TreeNode<V>, position: number): { leaf: LeafNode<V>; index: number } {
  let node = root;
  let left = position;
  while (node.kind === "branch") {
    let i = 0;
    while (left >= sizeOf(node.children[i]!)) left -= sizeOf(node.children[i++]!);
    node = node.children[i]!;
  }
  return { leaf: node, index: left };
}
