import { type FileHead, readFileHead } from "./file-head.js";
import { readFreePages } from "./free-pages.js";
import type { PageFile, Report } from "./page-file.js";
import { integerKeys, readTreeHead, type TreeHead, treeHeadBytes } from "./tree-head.js";
import { walkTree } from "./walk-tree.js";

/** The tables of a store, and the flags that the library gives them. */
const tableFlags: Readonly<Record<TableName, number>> = { log: 0, meta: 0, index: integerKeys, leases: integerKeys };
export type TableName = "log" | "meta" | "index" | "leases";

export interface TableReading {
  /** Called for each page that is not as it should be. What can be read is read nevertheless. */
  readonly report: Report;
  /** Before the log is read: the facts by name, as text. Returns from where the log's leaves are to be read; undefined: all. */
  readonly logFrom: (facts: ReadonlyMap<string, string>) => Buffer | undefined;
  readonly onRow: (table: TableName, key: Buffer, data: Buffer) => void;
}

/**
 * Reads the tables of a data file page by page, without the library.
 * @returns whether nothing was ever written to it; undefined when it cannot be read at all
 */
export function readTables(file: PageFile, { report, logFrom, onRow }: TableReading): { isNew: boolean } | undefined {
  const head = readFileHead(file, report);
  if (head === undefined) return undefined;
  // Free pages at the end may never have been written, so a little is allowed to be missing.
  const missing = (head.lastPage + 1) * file.pageSize - file.size;
  if (missing > 64 * file.pageSize) {
    report(undefined, `${missing} bytes are missing at its end`);
    return undefined;
  }
  const used = new Uint8Array(head.lastPage + 1);
  const free = readFreePages(file, head, used, report);
  const tables = readMain(file, head, used, report);
  const facts = new Map<string, string>();
  for (const name of ["meta", "index", "leases", "log"] as const) {
    const tree = tables.get(name);
    if (tree === undefined) continue;
    const from = name === "log" ? logFrom(facts) : undefined;
    walkTree({
      file,
      limits: head,
      tree,
      used,
      report: (page, what) => report(page, `${what} (table ${name})`),
      ...(from && { from }),
      onRow(key, data) {
        if (name === "meta") facts.set(key.toString(), data.toString());
        onRow(name, key, data);
      },
    });
  }
  const both = used.findIndex((isUsed, page) => isUsed === 1 && free[page] === 1);
  if (both >= 0) report(both, "it is listed as free, and in use");
  return { isNew: [...tables.values()].every(({ root }) => root === undefined) };
}

function readMain(file: PageFile, head: FileHead, used: Uint8Array, report: Report): Map<TableName, TreeHead> {
  const tables = new Map<TableName, TreeHead>();
  walkTree({
    file,
    limits: head,
    tree: head.main,
    used,
    report,
    onRow(key, data, { isTable }) {
      const name = key.toString("latin1").replace(/\0$/, "") as TableName;
      if (!isTable || !Object.hasOwn(tableFlags, name) || data.length !== treeHeadBytes)
        return report(
          undefined,
          `it was not written by this program, or is damaged: it has a table ${JSON.stringify(name)}`,
        );
      const tree = readTreeHead(data, 0);
      if (tree.flags !== tableFlags[name]) report(head.main.root, `its record of the table ${name} is damaged`);
      tables.set(name, tree);
    },
  });
  return tables;
}
