import { readWord } from "./page-file.js";

/** A page begins with its number, the transaction that wrote it, its flags, and where its free room begins and ends. */
export const pageHeadBytes = 24;
const transactionAt = 8;
const flagsAt = 18;
const lowerAt = 20;
const upperAt = 22;
const branchFlag = 0x01;
const leafFlag = 0x02;
const overflowFlag = 0x04;

/** A node has the length of its data or a page number, flags, the length of its key, and the key. */
const nodeHeadBytes = 8;
const isOverflow = 0x01;
const isTable = 0x02;
const overflowReferenceBytes = 24;

/** A row of a leaf, or a child of a branch. */
export interface PageNode {
  readonly key: Buffer;
  /** Of a branch. */
  readonly child: number;
  /** Of a leaf: the data, or where it lies. */
  readonly data:
    | Buffer
    | { readonly page: number; readonly pages: number; readonly transaction: number; readonly length: number };
  readonly isTable: boolean;
}

export interface TreePage {
  readonly isLeaf: boolean;
  readonly nodes: readonly PageNode[];
}

/** What every page of the file must agree with. */
export interface PageLimits {
  readonly lastPage: number;
  readonly transaction: number;
}

/** Reads a page of a tree; a sentence when it is not one. Nothing behind its end is looked at. */
export function readTreePage(bytes: Buffer, number: number, { transaction }: PageLimits): TreePage | string {
  const flags = bytes.readUInt16LE(flagsAt);
  if (flags !== branchFlag && flags !== leafFlag) return "it is neither a branch nor a leaf of a table";
  if (readWord(bytes, 0) !== number) return "it has the number of another page";
  if (readWord(bytes, transactionAt) > transaction) return "it is of a transaction that has not been";
  const room = bytes.length - pageHeadBytes;
  const lower = bytes.readUInt16LE(lowerAt);
  const upper = bytes.readUInt16LE(upperAt);
  if (lower > upper || upper > room || lower % 2 !== 0) return "its free room is not within it";
  const isLeaf = flags === leafFlag;
  const nodes: PageNode[] = [];
  let used = 0;
  for (let i = 0; i < lower / 2; i++) {
    const at = bytes.readUInt16LE(pageHeadBytes + 2 * i);
    if (at < upper || at + nodeHeadBytes > room) return `its entry ${i} is not within it`;
    const found = readNode(bytes, pageHeadBytes + at, isLeaf);
    if (found === undefined) return `its entry ${i} goes beyond its end`;
    used += found.length + (found.length % 2);
    nodes.push(found.node);
  }
  // Nodes lie one behind the other up to the end of the page: a wrong length anywhere shows here.
  if (upper + used !== room) return "its entries overlap";
  return { isLeaf, nodes };
}

function readNode(bytes: Buffer, at: number, isLeaf: boolean): { node: PageNode; length: number } | undefined {
  const low = bytes.readUInt32LE(at);
  const flags = bytes.readUInt16LE(at + 4);
  const keyAt = at + nodeHeadBytes;
  const dataAt = keyAt + bytes.readUInt16LE(at + 6);
  if (dataAt > bytes.length) return undefined;
  const key = bytes.subarray(keyAt, dataAt);
  // A branch has the highest bytes of the page number where a leaf has flags.
  if (!isLeaf)
    return {
      node: { key, child: low + flags * 0x1_0000_0000, data: key, isTable: false },
      length: dataAt - at,
    };
  if ((flags & ~(isOverflow | isTable)) !== 0) return undefined;
  const isFar = (flags & isOverflow) !== 0;
  const end = dataAt + (isFar ? overflowReferenceBytes : low);
  if (end > bytes.length) return undefined;
  const data = isFar
    ? {
        page: readWord(bytes, dataAt),
        transaction: readWord(bytes, dataAt + 8),
        pages: readWord(bytes, dataAt + 16),
        length: low,
      }
    : bytes.subarray(dataAt, end);
  return { node: { key, child: 0, data, isTable: (flags & isTable) !== 0 }, length: end - at };
}

/** Whether these pages, as far as they are read, begin with the head of data that does not fit into a leaf. */
export const isOverflowPage = (bytes: Buffer, number: number, pages: number): boolean =>
  bytes.readUInt16LE(flagsAt) === overflowFlag &&
  readWord(bytes, 0) === number &&
  bytes.readUInt32LE(lowerAt) === pages;
