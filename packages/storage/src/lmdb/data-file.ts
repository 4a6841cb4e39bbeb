import { statSync } from "node:fs";
import { StoreError } from "../contract/store-error.js";
import { PageFile } from "./pages/page-file.js";
import { readTables } from "./pages/read-tables.js";
import { endOfLog, type Position, positionKeys } from "./position.js";
import { openFormat, openMeta } from "./store-meta.js";

/**
 * Reads a data file page by page before it is mapped into memory: what is not LMDB's, or is damaged, would end the process with
 * a signal rather than an error, or be served. Everything is read but the log before the last checkpoint, which is most of the
 * file: what is damaged there is found when it is asked for.
 * @returns whether there is none, or nothing was ever written to it
 * @throws StoreError "unreadable"
 */
export function checkDataFile(path: string): { isNew: boolean } {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return { isNew: true };
  if (!stat.isFile()) throw unreadable(path, "it is not a file");
  // Made, but nothing was ever written to it.
  if (stat.size === 0) return { isNew: true };
  const file = new PageFile(path);
  try {
    const found = readTables(file, {
      report: (page, what) => {
        throw unreadable(path, page === undefined ? what : `page ${page} is damaged: ${what}`);
      },
      logFrom: (facts) => positionBytes(checkpointOf(path, facts)),
      onRow: () => undefined,
    });
    return found ?? { isNew: false };
  } finally {
    file.close();
  }
}

function checkpointOf(path: string, facts: ReadonlyMap<string, string>): Position {
  try {
    const format = openFormat(parse(facts.get("format")));
    // The layouts before had no checksums; what they have is read when it is migrated.
    if (format === undefined || format.format < 3) return endOfLog;
    return { revision: openMeta(parse(facts.get("state"))).checkpoint + 1, sub: 0 };
  } catch (err) {
    throw unreadable(path, err instanceof Error ? err.message : String(err));
  }
}

const parse = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text));

export function positionBytes(position: Position): Buffer {
  const bytes = Buffer.alloc(10);
  positionKeys.writeKey(position, bytes, 0);
  return bytes;
}

const unreadable = (path: string, why: string): StoreError =>
  new StoreError(
    "unreadable",
    `${path} cannot be opened: ${why}. "coxswain store check" names all that is damaged. Restore a backup into an empty directory, or move the file away to start with an empty store`,
  );
