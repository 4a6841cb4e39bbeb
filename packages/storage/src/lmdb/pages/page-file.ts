import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/**
 * The data file as bytes, read without the library: that maps the file, and follows a damaged page wherever it points, up to a
 * signal that ends the process. What stands here of the layout is LMDB's as the library has it (`mdb.c`: `MDB_page_header`,
 * `MDB_meta`, `MDB_db`, `MDB_node`), little-endian, with eight bytes for a page number.
 */
export class PageFile {
  readonly path: string;
  readonly size: number;
  /** In bytes; 0 until it is known. */
  pageSize = 0;
  readonly #fd: number;

  constructor(path: string) {
    this.path = path;
    this.#fd = openSync(path, "r");
    this.size = fstatSync(this.#fd).size;
  }

  /** Undefined when the file ends before. */
  read(at: number, length: number): Buffer | undefined {
    if (at < 0 || at + length > this.size) return undefined;
    const bytes = Buffer.allocUnsafeSlow(length);
    return readSync(this.#fd, bytes, 0, length, at) === length ? bytes : undefined;
  }

  pages(first: number, count: number): Buffer | undefined {
    return this.read(first * this.pageSize, count * this.pageSize);
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** A page number, a transaction or a count. One beyond what a number holds exactly is no page of ours, and becomes one that is not there. */
export function readWord(bytes: Buffer, at: number): number {
  const high = bytes.readUInt32LE(at + 4);
  return high >= 0x20_0000 ? Number.MAX_SAFE_INTEGER : high * 0x1_0000_0000 + bytes.readUInt32LE(at);
}

/** Reports what is wrong with a page; undefined where it concerns the file as a whole. */
export type Report = (page: number | undefined, what: string) => void;
