import { buildBranches, cutLeaves } from "./build.js";
import { type Edit, insert, remove } from "./edit-node.js";
import { keyIsBefore, needsExactOrder } from "./key-order.js";
import { type Leaf, lowOf, makeBranch, makeLeaf, maxLeaf, sizeOf, type TreeNode } from "./node.js";
import { childIndex, type KeyRange, lowerIndex, positionsOf } from "./search.js";
import { entryAt, leafSlices } from "./walk.js";

export type { Leaf } from "./node.js";
export type { KeyRange } from "./search.js";

/** A stretch of one leaf: the entries `from` up to `to` (exclusive). `whole` when that is all of it. */
export interface LeafStretch<V> {
  readonly leaf: Leaf<V>;
  readonly from: number;
  readonly to: number;
  readonly whole: boolean;
}

/**
 * An immutable map from string keys, ordered by their UTF-8 bytes.
 *
 * Guarantees:
 * - A map never changes: `set` and `delete` return another map that shares all but the changed path. Keeping an old map
 *   costs only what differs, so a snapshot is one pointer.
 * - A leaf (about 32 to 128 entries) is one object for as long as its entries are the same. Hang derived data on it with a
 *   WeakMap: what belongs to an unchanged leaf is found again in every later map, and nothing needs to be invalidated.
 * - get, set, delete, count and `at` are O(log n).
 *
 * Caveats: iterate with `for … of` or `forEach`; a value of `undefined` is not distinguished from an absent one by `get`.
 */
export class SortedMap<V> {
  readonly #root: TreeNode<V>;
  /** Some key needs more than `<` to be put in order. It stays so when that key has gone. */
  readonly #exact: boolean;

  private constructor(root: TreeNode<V>, exact: boolean) {
    this.#root = root;
    this.#exact = exact;
  }

  static empty<V>(): SortedMap<V> {
    return new SortedMap<V>(makeLeaf([], [], undefined), false);
  }

  /** From entries in any order; of equal keys the last one counts. */
  static from<V>(entries: Iterable<readonly [string, V]>): SortedMap<V> {
    const editor = SortedMap.empty<V>().edit();
    for (const [key, value] of entries) editor.set(key, value);
    return editor.done();
  }

  /** From keys that are already in order and distinct: the fast way for many. @throws RangeError when they are not */
  static fromSorted<V>(keys: readonly string[], values: readonly V[]): SortedMap<V> {
    return SortedMap.fromLeaves(cutLeaves(keys, values)).map;
  }

  /**
   * From leaves in order, as `leavesOf` once gave them; each becomes a leaf of this map, the very object. Their arrays now belong to it.
   * @throws RangeError when they are not in order, empty or too large
   */
  static fromLeaves<V>(leaves: readonly { readonly keys: string[]; readonly values: V[] }[]): {
    map: SortedMap<V>;
    leaves: readonly Leaf<V>[];
  } {
    const exact = leaves.some(({ keys }) => keys.some(needsExactOrder));
    let last: string | undefined;
    for (const { keys } of leaves) {
      if (keys.length === 0 || keys.length > maxLeaf)
        throw new RangeError(`a leaf has 1 to ${maxLeaf} keys, not ${keys.length}`);
      for (const key of keys) {
        if (last !== undefined && !keyIsBefore(last, key, exact))
          throw new RangeError(`keys are not in order: ${JSON.stringify(last)} stands before ${JSON.stringify(key)}`);
        last = key;
      }
    }
    const nodes = leaves.map(({ keys, values }) => makeLeaf(keys, values, undefined));
    return { map: new SortedMap(buildBranches(nodes), exact), leaves: nodes };
  }

  get size(): number {
    return sizeOf(this.#root);
  }

  get(key: string): V | undefined {
    return find(this.#root, key, this.#exact);
  }

  has(key: string): boolean {
    let node = this.#root;
    while (node.kind === "branch") node = node.children[childIndex(node.lows, key, this.#exact)]!;
    return node.keys[lowerIndex(node.keys, key, this.#exact)] === key;
  }

  /** The same map when the key has this very value already. */
  set(key: string, value: V): SortedMap<V> {
    const edit: Edit = { owner: undefined, exact: this.#exact || needsExactOrder(key) };
    const root = insertAtRoot(this.#root, key, value, edit);
    return root === this.#root ? this : new SortedMap(root, edit.exact);
  }

  /** The same map when the key is not there. */
  delete(key: string): SortedMap<V> {
    const root = removeAtRoot(this.#root, key, { owner: undefined, exact: this.#exact });
    return root === this.#root ? this : new SortedMap(root, this.#exact);
  }

  /** Many changes at once, in place where that cannot be seen; several times as fast as one by one. */
  edit(): SortedMapEditor<V> {
    return SortedMap.#editorOf(this);
  }

  static #editorOf<V>(map: SortedMap<V>): SortedMapEditor<V> {
    let given = map;
    let root = map.#root;
    let edit: Edit = { owner: {}, exact: map.#exact };
    return {
      get size() {
        return sizeOf(root);
      },
      get: (key) => find(root, key, edit.exact),
      forEach: (range, visit) => visitRange(root, range, edit.exact, visit),
      set(key, value) {
        if (!edit.exact && needsExactOrder(key)) edit = { owner: edit.owner, exact: true };
        root = insertAtRoot(root, key, value, edit);
      },
      delete(key) {
        root = removeAtRoot(root, key, edit);
      },
      done() {
        if (root === given.#root) return given;
        // From now on the nodes are others' too: a new owner never changes them in place.
        edit = { owner: {}, exact: edit.exact };
        return (given = new SortedMap(root, edit.exact));
      },
    };
  }

  /** How many keys are in the range, in O(log n). */
  count(range: KeyRange = {}): number {
    const { from, to } = positionsOf(this.#root, range, this.#exact);
    return to - from;
  }

  /** The entry at a position in key order, from 0. */
  at(position: number): { readonly key: string; readonly value: V } | undefined {
    if (!(position >= 0 && position < this.size)) return undefined;
    const { leaf, index } = entryAt(this.#root, position);
    return { key: leaf.keys[index]!, value: leaf.values[index]! };
  }

  /** Calls `visit` for each entry of the range in order, until it returns false: the fastest way through. */
  forEach(range: KeyRange, visit: (key: string, value: V) => unknown): void {
    visitRange(this.#root, range, this.#exact, visit);
  }

  *entries(range: KeyRange = {}): Generator<[string, V], void> {
    for (const { leaf, from, to } of this.leavesOf(range)) {
      for (let i = from; i < to; i++) yield [leaf.keys[i]!, leaf.values[i]!];
    }
  }

  *keys(range: KeyRange = {}): Generator<string, void> {
    for (const { leaf, from, to } of this.leavesOf(range)) {
      for (let i = from; i < to; i++) yield leaf.keys[i]!;
    }
  }

  *values(range: KeyRange = {}): Generator<V, void> {
    for (const { leaf, from, to } of this.leavesOf(range)) {
      for (let i = from; i < to; i++) yield leaf.values[i]!;
    }
  }

  /** The leaves that hold the range, in order, each with the stretch of it that lies inside. */
  *leavesOf(range: KeyRange = {}): Generator<LeafStretch<V>, void> {
    const { from, to } = positionsOf(this.#root, range, this.#exact);
    for (const slice of leafSlices(this.#root, from, to)) {
      yield {
        leaf: slice.leaf,
        from: slice.from,
        to: slice.to,
        whole: slice.to - slice.from === slice.leaf.keys.length,
      };
    }
  }

  [Symbol.iterator](): Generator<[string, V], void> {
    return this.entries();
  }
}

/** Changes a map in place until `done()` hands it out. The map it came from never changes. */
export interface SortedMapEditor<V> {
  readonly size: number;
  get(key: string): V | undefined;
  /** As the map's; nothing may be changed meanwhile. */
  forEach(range: KeyRange, visit: (key: string, value: V) => unknown): void;
  set(key: string, value: V): void;
  delete(key: string): void;
  /** The map as it is now, the same one while nothing changes. The editor may be used on; what was handed out stays as it was. */
  done(): SortedMap<V>;
}

function visitRange<V>(
  root: TreeNode<V>,
  range: KeyRange,
  exact: boolean,
  visit: (key: string, value: V) => unknown,
): void {
  const { from: first, to: end } = positionsOf(root, range, exact);
  for (const { leaf, from, to } of leafSlices(root, first, end))
    for (let i = from; i < to; i++) if (visit(leaf.keys[i]!, leaf.values[i]!) === false) return;
}

function find<V>(root: TreeNode<V>, key: string, exact: boolean): V | undefined {
  let node = root;
  while (node.kind === "branch") node = node.children[childIndex(node.lows, key, exact)]!;
  const at = lowerIndex(node.keys, key, exact);
  return node.keys[at] === key ? node.values[at] : undefined;
}

function insertAtRoot<V>(root: TreeNode<V>, key: string, value: V, edit: Edit): TreeNode<V> {
  const { node, right } = insert(root, key, value, edit);
  return right === undefined ? node : makeBranch([lowOf(node), lowOf(right)], [node, right], edit.owner);
}

function removeAtRoot<V>(root: TreeNode<V>, key: string, edit: Edit): TreeNode<V> {
  let node = remove(root, key, edit);
  while (node.kind === "branch" && node.children.length <= 1) node = node.children[0] ?? makeLeaf([], [], edit.owner);
  return node;
}
