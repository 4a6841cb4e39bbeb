import { readWord } from "./page-file.js";

/** A tree of pages: its root, and how many pages and rows it has. */
export interface TreeHead {
  readonly flags: number;
  readonly depth: number;
  readonly branchPages: number;
  readonly leafPages: number;
  readonly overflowPages: number;
  readonly rows: number;
  /** Undefined: it is empty. */
  readonly root: number | undefined;
}

export const treeHeadBytes = 48;
/** Keys are numbers, compared as such. */
export const integerKeys = 0x08;

const noRoot = 0xffff_ffff_ffff_ffffn;

export function readTreeHead(bytes: Buffer, at: number): TreeHead {
  return {
    flags: bytes.readUInt16LE(at + 4),
    depth: bytes.readUInt16LE(at + 6),
    branchPages: readWord(bytes, at + 8),
    leafPages: readWord(bytes, at + 16),
    overflowPages: readWord(bytes, at + 24),
    rows: readWord(bytes, at + 32),
    root: bytes.readBigUInt64LE(at + 40) === noRoot ? undefined : readWord(bytes, at + 40),
  };
}
