import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { OpenBackup } from "../backup/index.js";
import { openBackup } from "../backup/index.js";
import { StoreError } from "../contract/store-error.js";
import { syncDirectory } from "../files/sync-file.js";
import { SortedMap } from "../sorted-map/index.js";
import { roomForAll } from "./disk-room.js";
import { Environment } from "./environment.js";
import { formats } from "./format.js";
import { checksumOf, encodeBlock } from "./index-block.js";
import { encodedChange, LogEntry } from "./log-record.js";
import { lastSub } from "./position.js";
import { addSum, firstMeta, noSums, type StoreMeta, sumOfLease } from "./store-meta.js";

const recordsPerCommit = 1000;

export interface RestoreDirectoryOptions {
  /** Must be empty or not there. */
  readonly directory: string;
  readonly file: string;
  readonly onProgress?: (done: { readonly keys: number; readonly of: number }) => void;
}

/**
 * Makes the directory of a store from a backup: every record with its revisions, and the backup's revision as the store's.
 * It is made beside the directory and takes its place when it is complete, so one that was interrupted leaves nothing behind
 * that could be opened.
 */
export async function restoreLmdbDirectory({
  directory,
  file,
  onProgress,
}: RestoreDirectoryOptions): Promise<{ revision: number; keys: number }> {
  const there = await readdir(directory).catch((err: NodeJS.ErrnoException) =>
    err.code === "ENOENT" ? [] : Promise.reject(err),
  );
  if (there.length > 0)
    throw new StoreError(
      "invalid",
      `${directory} is not empty: a backup is restored into an empty directory. Stop the server, move the old one away and try again`,
    );
  const backup = await openBackup(file);
  const partial = `${directory}.restoring`;
  try {
    await rm(partial, { recursive: true, force: true });
    await mkdir(partial, { recursive: true, mode: 0o700 });
    await fill(partial, backup, onProgress);
    await syncDirectory(partial);
    await rename(partial, directory);
    await syncDirectory(dirname(directory));
    return { revision: backup.header.revision, keys: backup.header.keys };
  } catch (err) {
    await rm(partial, { recursive: true, force: true });
    throw err;
  } finally {
    await backup.close();
  }
}

async function fill(
  directory: string,
  backup: OpenBackup,
  onProgress: RestoreDirectoryOptions["onProgress"],
): Promise<void> {
  const { revision, keys, leases } = backup.header;
  const env = new Environment(join(directory, "data.mdb"));
  env.openTables();
  try {
    const entries = await fillLog(env, backup, (done) => onProgress?.({ keys: done, of: keys }));
    const blocks = [...SortedMap.from(entries).leavesOf()].map(({ leaf }, i) => encodeBlock(leaf, i + 1));
    const lastLease = leases.reduce((last, { lease }) => Math.max(last, lease), firstMeta.lastLease);
    const meta: StoreMeta = {
      revision,
      compacted: revision,
      scrubbed: { revision, sub: lastSub },
      checkpoint: revision,
      lastBlock: blocks.length,
      lastLease,
      keys: entries.length,
      changes: entries.length,
      blocks: blocks.reduce((sums, block) => addSum(sums, checksumOf(block)), noSums),
      leases: leases.reduce((sums, { lease }) => addSum(sums, sumOfLease(lease)), noSums),
    };
    await env.commit((writer) => {
      for (const [i, block] of blocks.entries()) writer.putBlock(i + 1, block);
      for (const { lease, ttlMs } of leases) writer.putLease(lease, ttlMs);
      writer.putMeta(meta);
    }, roomForAll(blocks));
    env.writeFormat({ store: "coxswain", format: formats.current });
  } finally {
    await env.close();
  }
}

/** The log is in the order of revisions, a backup in that of keys. */
async function fillLog(
  env: Environment,
  backup: OpenBackup,
  onProgress: (done: number) => void,
): Promise<[string, LogEntry][]> {
  const places = backup.places.toSorted((a, b) => a.revision - b.revision || a.at - b.at);
  const entries: [string, LogEntry][] = [];
  let last = 0;
  let sub = 0;
  for (let from = 0; from < places.length; from += recordsPerCommit) {
    const records = await Promise.all(places.slice(from, from + recordsPerCommit).map((place) => backup.read(place)));
    const changes = records.map(({ key, value, revision, createRevision, version, lease }, i) => {
      sub = revision === last ? sub + 1 : 0;
      last = revision;
      const entry = new LogEntry(revision, sub, createRevision, version, lease);
      entries.push([key, entry]);
      const place = { revision, sub, last: places[from + i + 1]?.revision !== revision };
      return { entry, bytes: encodedChange({ key, entry, previous: undefined, value, note: undefined }, place) };
    });
    await env.commit(
      (writer) => {
        for (const { entry, bytes } of changes) writer.appendChange(entry, bytes);
      },
      roomForAll(changes.map(({ bytes }) => bytes)),
    );
    onProgress(entries.length);
  }
  return entries;
}
