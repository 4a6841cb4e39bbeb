import type { PageFile, Report } from "./page-file.js";
import { readTreeHead, type TreeHead, treeHeadBytes } from "./tree-head.js";

/** Offsets in a meta page: a page head of 24 bytes, then the meta record. */
const pageFlagsAt = 18;
const magicAt = 24;
const versionAt = 28;
const freeTreeAt = 48;
const mainTreeAt = freeTreeAt + treeHeadBytes;
const lastPageAt = mainTreeAt + treeHeadBytes;
const transactionAt = lastPageAt + 8;
const metaBytes = 168;
const isMetaPage = 0x08;
const magic = 0xbeef_c0de;
const version = 2;

/** The state of the file as its newest transaction left it. */
export interface FileHead {
  readonly transaction: number;
  readonly lastPage: number;
  /** The pages that are free. */
  readonly free: TreeHead;
  /** The tables by name. */
  readonly main: TreeHead;
}

/** Where the page size stands; the first member of the tree of free pages. */
export function readPageSize(file: PageFile): number | undefined {
  const head = file.read(0, metaBytes);
  if (head === undefined || head.readUInt32LE(magicAt) !== magic) return undefined;
  const pageSize = head.readUInt32LE(freeTreeAt);
  return pageSize >= 256 && pageSize <= 65_536 && (pageSize & (pageSize - 1)) === 0 ? pageSize : undefined;
}

/**
 * The newer of the two meta pages, which transactions write in turn. A wrong number in one of them would make the library take
 * the older state for the newest one, without a word: so both must be whole, and their numbers must fit each other.
 */
export function readFileHead(file: PageFile, report: Report): FileHead | undefined {
  const pageSize = readPageSize(file);
  if (pageSize === undefined) {
    report(undefined, "it is not a data file of this store");
    return undefined;
  }
  file.pageSize = pageSize;
  const [even, odd] = [0, 1].map((number) => readMeta(file, number, report));
  if (even === undefined || odd === undefined) return undefined;
  const first = isUnused(even) && even.transaction === 0;
  if (even.transaction % 2 !== 0 || (odd.transaction % 2 !== 1 && !(isUnused(odd) && odd.transaction === 0)))
    report(
      odd.transaction % 2 === 1 ? 0 : 1,
      "it has the number of a transaction that is written to the other meta page",
    );
  // A file that was copied without its free pages has one meta page that was never used.
  else if (!first && !isUnused(odd) && Math.abs(even.transaction - odd.transaction) !== 1)
    report(
      undefined,
      `its meta pages are of transactions ${even.transaction} and ${odd.transaction}, which do not follow each other`,
    );
  else if (!first && isUnused(even)) report(0, "it is a meta page without tables");
  return even.transaction > odd.transaction ? even : odd;
}

function readMeta(file: PageFile, number: number, report: Report): FileHead | undefined {
  const bytes = file.read(number * file.pageSize, metaBytes);
  if (
    bytes === undefined ||
    bytes.readUInt32LE(magicAt) !== magic ||
    bytes.readUInt32LE(versionAt) !== version ||
    bytes.readUInt16LE(pageFlagsAt) !== isMetaPage ||
    bytes.readUInt32LE(freeTreeAt) !== file.pageSize
  ) {
    report(number, "it is not a meta page");
    return undefined;
  }
  return {
    transaction: numberAt(bytes, transactionAt),
    lastPage: numberAt(bytes, lastPageAt),
    free: readTreeHead(bytes, freeTreeAt),
    main: readTreeHead(bytes, mainTreeAt),
  };
}

const numberAt = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at));

/** As the library makes it before the first transaction. */
const isUnused = ({ main, free, lastPage }: FileHead): boolean =>
  main.root === undefined && free.root === undefined && lastPage === 1;
