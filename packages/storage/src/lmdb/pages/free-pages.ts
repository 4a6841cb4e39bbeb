import type { FileHead } from "./file-head.js";
import { type PageFile, type Report, readWord } from "./page-file.js";
import { walkTree } from "./walk-tree.js";

/**
 * The pages that the file lists as free. One that is in use as well would be written over by a later transaction.
 * A list is a count and as many numbers: a page, or a negative number of pages and the first of them, or nothing (0).
 */
export function readFreePages(file: PageFile, head: FileHead, used: Uint8Array, report: Report): Uint8Array {
  const free = new Uint8Array(head.lastPage + 1);
  const onRow = (key: Buffer, data: Buffer): void => {
    if (key.length !== 8 || data.length % 8 !== 0 || readWord(key, 0) > head.transaction)
      return report(head.free.root, "the list of free pages is damaged");
    const wrong = readList(data, (first, count) => {
      for (let page = first; page < first + count; page++) {
        if (page < 2 || page > head.lastPage) return "it is listed as free, and there is no such page";
        if (free[page] === 1) return "it is listed as free twice";
        free[page] = 1;
      }
      return undefined;
    });
    if (wrong !== undefined) report(wrong.page, wrong.what);
  };
  walkTree({ file, limits: head, tree: head.free, used, report, onRow });
  return free;
}

function readList(
  data: Buffer,
  add: (first: number, count: number) => string | undefined,
): { page: number | undefined; what: string } | undefined {
  const length = data.length === 0 ? 0 : readWord(data, 0);
  if (length > data.length / 8 - 1) return { page: undefined, what: "a list of free pages is longer than it is" };
  for (let i = 1; i <= length; i++) {
    let page = Number(data.readBigInt64LE(8 * i));
    let count = 1;
    if (page === 0) continue;
    if (page < 0) {
      count = -page;
      i += 1;
      // The library cuts a long list into records, and leaves the page to the next one.
      if (i > length) return undefined;
      page = Number(data.readBigInt64LE(8 * i));
    }
    const what = add(page, count);
    if (what !== undefined) return { page, what };
  }
  return undefined;
}
