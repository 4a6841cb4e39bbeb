import { lowOf, makeBranch, makeLeaf, maxBranch, maxLeaf, type TreeNode } from "./node.js";

/** Room is left in each node so that the first insertions do not split them all. */
const leafFill = (maxLeaf * 3) / 4;
const branchFill = (maxBranch * 3) / 4;

/** Sorted entries cut into leaves of even size. */
export function cutLeaves<V>(keys: readonly string[], values: readonly V[]): { keys: string[]; values: V[] }[] {
  return [...evenParts(keys.length, leafFill)].map(([from, to]) => ({
    keys: keys.slice(from, to),
    values: values.slice(from, to),
  }));
}

/** The branches above leaves that are in order, without a single comparison. */
export function buildBranches<V>(leaves: readonly TreeNode<V>[]): TreeNode<V> {
  let level = leaves;
  while (level.length > 1) {
    const above: TreeNode<V>[] = [];
    for (const [from, to] of evenParts(level.length, branchFill)) {
      const children = level.slice(from, to);
      above.push(makeBranch(children.map(lowOf), children, undefined));
    }
    level = above;
  }
  return level[0] ?? makeLeaf([], [], undefined);
}

/** Cuts 0..length into parts of nearly the same size, none larger than `most`. */
function* evenParts(length: number, most: number): Iterable<[number, number]> {
  const parts = Math.ceil(length / most);
  for (let i = 0; i < parts; i++) yield [Math.floor((i * length) / parts), Math.floor(((i + 1) * length) / parts)];
}
