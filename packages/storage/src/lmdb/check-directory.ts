import { statSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "../contract/store-error.js";
import { checkLog } from "./check-log.js";
import { CheckedContents } from "./checked-contents.js";
import { lockDirectory } from "./directory-lock.js";
import { formats } from "./format.js";
import { PageFile } from "./pages/page-file.js";
import { readTables } from "./pages/read-tables.js";
import type { StoreDamage } from "./store-damage.js";
import { openFormat, openMeta, type StoreMeta } from "./store-meta.js";

export interface StoreCheck {
  readonly damage: readonly StoreDamage[];
  /** What is worth knowing and no damage. */
  readonly notes: readonly string[];
  /** Of the last write that was found, in the file or in the log. */
  readonly revision: number;
  readonly keys: number;
  /** How many changes, blocks of the index and commits of the write-ahead log were read. */
  readonly changes: number;
  readonly blocks: number;
  readonly commits: number;
}

/**
 * Reads everything that a store's directory holds and compares it with its checksums and counts: every page of the data file,
 * every change, block and lease, and the write-ahead log. The files are read as bytes, never mapped, so no damage can end this
 * process; nothing is written. Only while no server runs.
 * @throws StoreError "unavailable" while another process has the store open, "unreadable" when there is none, or one of another format
 */
export async function checkLmdbDirectory(directory: string): Promise<StoreCheck> {
  const lock = await lockDirectory(directory);
  try {
    return checkFiles(directory);
  } finally {
    await lock.release();
  }
}

function checkFiles(directory: string): StoreCheck {
  const damage: StoreDamage[] = [];
  const notes: string[] = [];
  const contents = new CheckedContents((found) => damage.push(found));
  const meta = readFile(join(directory, "data.mdb"), contents, damage, sizeOf(join(directory, "data.wal")));
  if (meta === undefined)
    return { damage, notes, revision: 0, keys: 0, changes: contents.changes, blocks: contents.blocks, commits: 0 };
  const log = checkLog(join(directory, "data.wal"), meta, notes, (found) => damage.push(found));
  return {
    damage,
    notes,
    revision: log.revision,
    keys: meta.keys + log.keysAdded,
    changes: contents.changes,
    blocks: contents.blocks,
    commits: log.commits,
  };
}

/** @returns the record of what the store holds; undefined when that is damaged itself, or there is nothing */
function readFile(
  path: string,
  contents: CheckedContents,
  damage: StoreDamage[],
  walBytes: number,
): StoreMeta | undefined {
  const size = sizeOf(path);
  const add = (what: string): void => void damage.push({ file: "data.mdb", what });
  if (size === 0) {
    if (walBytes === 0) throw new StoreError("unreadable", `there is no store in ${join(path, "..")}`);
    add("it is missing or empty, and a write-ahead log is beside it");
    return undefined;
  }
  const file = new PageFile(path);
  try {
    const facts = new Map<string, string>();
    const found = readTables(file, {
      report: (page, what) => add(page === undefined ? what : `page ${page}: ${what}`),
      logFrom: () => undefined,
      onRow: (table, key, data) =>
        table === "meta" ? void facts.set(key.toString(), data.toString()) : contents.add(table, key, data),
    });
    if (found === undefined || (found.isNew && damage.length === 0)) return undefined;
    const meta = readFacts(facts, add);
    if (meta !== undefined) contents.compare(meta, { arePagesWhole: damage.length === 0 });
    return meta;
  } finally {
    file.close();
  }
}

function readFacts(facts: ReadonlyMap<string, string>, add: (what: string) => void): StoreMeta | undefined {
  const parsed = (name: string): unknown => {
    const text = facts.get(name);
    try {
      return text === undefined ? undefined : JSON.parse(text);
    } catch {
      return undefined;
    }
  };
  try {
    const format = openFormat(parsed("format"));
    if (format === undefined) {
      add("the record of the store's format is missing or damaged");
      return undefined;
    }
    if (format.format !== formats.current) throw new OtherFormat(format.format);
    return openMeta(parsed("state"));
  } catch (err) {
    if (err instanceof OtherFormat) throw err;
    add(err instanceof Error ? err.message : String(err));
    return undefined;
  }
}

class OtherFormat extends StoreError {
  constructor(format: number) {
    super(
      "unreadable",
      format < formats.current
        ? `the store has format ${format}, which has no checksums of all that it holds. Start this version's server on it once, which brings it to format ${formats.current}; then check it`
        : `the store has format ${format}, and this version knows formats up to ${formats.current}. Use the version that wrote it, or a newer one`,
    );
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
