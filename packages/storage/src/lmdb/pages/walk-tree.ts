import type { PageFile, Report } from "./page-file.js";
import { integerKeys, type TreeHead } from "./tree-head.js";
import { isOverflowPage, type PageLimits, type PageNode, pageHeadBytes, readTreePage } from "./tree-page.js";

export interface TreeWalk {
  readonly file: PageFile;
  readonly limits: PageLimits;
  readonly tree: TreeHead;
  /** One byte for each page of the file: 1 when something has used it already. */
  readonly used: Uint8Array;
  readonly report: Report;
  /** Leaves whose keys are all before this one are counted and not read. @default all are read */
  readonly from?: Buffer;
  /** Rows come in order, those of damaged pages do not come. */
  readonly onRow: (key: Buffer, data: Buffer, node: PageNode) => void;
}

interface Counts {
  branchPages: number;
  leafPages: number;
  overflowPages: number;
  rows: number;
  skipped: boolean;
}

/** Reads a tree from its root, and reports every page that cannot be part of it: in the wrong place, out of order, used twice, or cut off. */
export function walkTree(walk: TreeWalk): void {
  const { tree, report } = walk;
  const counts: Counts = { branchPages: 0, leafPages: 0, overflowPages: 0, rows: 0, skipped: false };
  let damaged = false;
  const noting: Report = (page, what) => {
    damaged = true;
    report(page, what);
  };
  if (tree.root !== undefined)
    visit({ ...walk, report: noting }, counts, { page: tree.root, level: 1, low: undefined, high: undefined });
  // Where pages are missing the numbers cannot agree.
  if (damaged) return;
  const isComplete = !counts.skipped;
  if (
    counts.branchPages !== tree.branchPages ||
    counts.leafPages !== tree.leafPages ||
    (isComplete && (counts.overflowPages !== tree.overflowPages || counts.rows !== tree.rows)) ||
    (tree.root === undefined && tree.depth !== 0)
  )
    report(tree.root, "the pages below it are not as many as the table should have");
}

interface Place {
  readonly page: number;
  readonly level: number;
  /** Keys are not before this one, and before `high`. */
  readonly low: Buffer | undefined;
  readonly high: Buffer | undefined;
}

function visit(walk: TreeWalk, counts: Counts, { page, level, low, high }: Place): void {
  const { file, limits, tree, report, from, onRow } = walk;
  if (!claim(walk, page, 1)) return;
  const isLeaf = level === tree.depth;
  if (isLeaf) {
    counts.leafPages += 1;
    if (from !== undefined && high !== undefined && compareIn(tree, high, from) <= 0) {
      counts.skipped = true;
      return;
    }
  }
  const bytes = file.pages(page, 1);
  const read = bytes === undefined ? "it lies behind the end of the file" : readTreePage(bytes, page, limits);
  if (typeof read === "string") return report(page, read);
  if (read.isLeaf !== isLeaf) return report(page, "it is not as deep in the table as it should be");
  if (!isInOrder(tree, read.nodes, { isLeaf, low, high })) return report(page, "its keys are not in order");
  if (!isLeaf) {
    counts.branchPages += 1;
    if (read.nodes.length < 2) return report(page, "it is a branch with less than two children");
    for (const [i, { key, child }] of read.nodes.entries())
      visit(walk, counts, {
        page: child,
        level: level + 1,
        low: i === 0 ? low : key,
        high: read.nodes[i + 1]?.key ?? high,
      });
    return;
  }
  for (const node of read.nodes) {
    counts.rows += 1;
    const data = dataOf(walk, counts, page, node);
    if (data !== undefined) onRow(node.key, data, node);
  }
}

function dataOf(walk: TreeWalk, counts: Counts, page: number, { data }: PageNode): Buffer | undefined {
  if (Buffer.isBuffer(data)) return data;
  const { file, limits, report } = walk;
  const { page: first, pages, length, transaction } = data;
  if (pages !== Math.ceil((pageHeadBytes + length) / file.pageSize) || transaction > limits.transaction) {
    report(page, "it refers to data on pages that do not fit it");
    return undefined;
  }
  if (!claim(walk, first, pages)) return undefined;
  counts.overflowPages += pages;
  const bytes = file.pages(first, pages);
  if (bytes === undefined || !isOverflowPage(bytes, first, pages)) {
    report(
      first,
      bytes === undefined ? "it lies behind the end of the file" : "it is not the data that a leaf refers to",
    );
    return undefined;
  }
  return bytes.subarray(pageHeadBytes, pageHeadBytes + length);
}

/** No page is part of two things. */
function claim({ limits, used, report }: TreeWalk, first: number, count: number): boolean {
  for (let page = first; page < first + count; page++) {
    if (page < 2 || page > limits.lastPage) {
      report(page, "it is referred to, and there is no such page");
      return false;
    }
    if (used[page] === 1) {
      report(page, "it is referred to from two places");
      return false;
    }
    used[page] = 1;
  }
  return true;
}

function isInOrder(
  tree: TreeHead,
  nodes: readonly PageNode[],
  { isLeaf, low, high }: { isLeaf: boolean; low: Buffer | undefined; high: Buffer | undefined },
): boolean {
  let last = low;
  for (const [i, { key }] of nodes.entries()) {
    // The first key of a branch stands for all that is before the second.
    if (!isLeaf && i === 0) continue;
    if ((tree.flags & integerKeys) !== 0 && key.length !== 4 && key.length !== 8) return false;
    const order = last === undefined ? 1 : compareIn(tree, key, last);
    if (order < 0 || (order === 0 && i > 0)) return false;
    if (high !== undefined && compareIn(tree, key, high) >= 0) return false;
    last = key;
  }
  return true;
}

function compareIn({ flags }: TreeHead, a: Buffer, b: Buffer): number {
  if ((flags & integerKeys) === 0) return Buffer.compare(a, b);
  // Little-endian numbers of one length: the last byte counts most.
  if (a.length !== b.length) return a.length - b.length;
  for (let i = a.length - 1; i >= 0; i--) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return 0;
}
