import { existsSync } from "node:fs";
import { copyFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { StoreError } from "../contract/store-error.js";
import { syncDirectory, syncFile } from "../files/sync-file.js";
import type { Environment } from "./environment.js";
import { migrateTo3 } from "./migrate-to-3.js";
import { firstMeta } from "./store-meta.js";

/** One step from a layout to the next. All it writes is one transaction, the new format record included. */
export interface Migration {
  /** The format it starts from; it leads to the next number. */
  readonly from: number;
  readonly what: string;
  /** Runs inside the transaction, synchronously. */
  run(env: Environment, directory: string): void;
}

export interface Formats {
  /** The layout that this version writes. */
  readonly current: number;
  readonly migrations: readonly Migration[];
}

/**
 * 2: a write-ahead log stands beside the file. One who knows only the file would not see what was written last.
 * 3: checksums of changes, blocks, leases and facts, and a count of each. One who writes without them would make them wrong.
 */
export const formats: Formats = {
  current: 3,
  migrations: [
    { from: 1, what: "a write-ahead log beside it", run: () => undefined },
    { from: 2, what: "checksums of all that it holds", run: migrateTo3 },
  ],
};

/**
 * Sees to it that the layout is the current one. A newer one is refused; an older one is copied first and then brought up to
 * date, step by step. Ended at any moment, it goes on from there at the next opening.
 */
export async function bringUpToDate(
  env: Environment,
  directory: string,
  { current, migrations }: Formats,
  log: (message: string) => void,
): Promise<void> {
  const record = env.format();
  if (record === undefined) {
    if (!env.isNew()) throw unreadable(directory, "it was not written by this program");
    // One wait for the disk instead of one for each table.
    return env.migrate(() => {
      env.openTables();
      env.writeMeta(firstMeta);
      env.writeFormat({ store: "coxswain", format: current });
    });
  }
  const { format } = record;
  if (format > current)
    throw unreadable(
      directory,
      `it has format ${format}, and this version knows formats up to ${current}. Use the version that wrote it, or a newer one`,
    );
  env.openTables();
  if (format === current) return;
  const copy = join(directory, `before-format-${current}.mdb`);
  log(`the store has format ${format}; it is copied to ${copy} and brought to format ${current}`);
  await copyAside(env, directory, { copy, log: `before-format-${current}.wal` });
  for (let at = format; at < current; at++) {
    const step = migrations.find(({ from }) => from === at);
    if (step === undefined) throw unreadable(directory, `there is no way from its format ${at} to ${at + 1}`);
    env.migrate(() => {
      step.run(env, directory);
      env.writeFormat({ store: "coxswain", format: at + 1 });
    });
    log(`format ${at + 1}: ${step.what}`);
  }
}

/** The file, and the write-ahead log that may hold what the file does not. */
async function copyAside(
  env: Environment,
  directory: string,
  { copy, log }: { readonly copy: string; readonly log: string },
): Promise<void> {
  const partial = `${copy}.partial`;
  await rm(partial, { force: true });
  await env.root.backup(partial, false);
  await syncFile(partial);
  await rename(partial, copy);
  const wal = join(directory, "data.wal");
  if (existsSync(wal)) {
    await copyFile(wal, join(directory, log));
    await syncFile(join(directory, log));
  }
  await syncDirectory(directory);
}

const unreadable = (directory: string, why: string): StoreError =>
  new StoreError("unreadable", `the store in ${directory} cannot be opened: ${why}`);
