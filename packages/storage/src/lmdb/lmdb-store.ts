import { existsSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Runtime } from "@coxswain/runtime";
import type { DefragmentResult, KeyValueStore } from "../contract/key-value-store.js";
import { StoreError } from "../contract/store-error.js";
import { syncDirectory } from "../files/sync-file.js";
import { type CompactionOptions, LocalStore } from "../local/index.js";
import type { CommitSeam } from "./commit-seam.js";
import { removeLeftovers } from "./compacted-copy.js";
import { checkDataFile } from "./data-file.js";
import { type DirectoryLock, lockDirectory } from "./directory-lock.js";
import { DiskReserve } from "./disk-reserve.js";
import { checkRoom } from "./disk-room.js";
import { Environment } from "./environment.js";
import { bringUpToDate, type Formats, formats } from "./format.js";
import { LmdbJournal } from "./lmdb-journal.js";
import { loadIndex } from "./load-index.js";
import type { LogEntry } from "./log-record.js";
import type { Moment } from "./moment.js";
import { makePrivateDirectory } from "./private-files.js";
import { replayWal } from "./wal/replay-wal.js";
import { WalFile } from "./wal/wal-file.js";

export interface LmdbStoreOptions {
  /** Made if it is not there. One process at a time. */
  readonly directory: string;
  readonly runtime: Runtime;
  /** Beyond the defaults of `CompactionOptions`; "off": only when asked to. */
  readonly compaction?: CompactionOptions | "off";
  /** Room kept so that a full disk still takes deletes, compaction and what the write-ahead log holds, in bytes; 0: none. @default 4194304 */
  readonly reserveBytes?: number;
  /** Size of the write-ahead log; 0: none, each commit is a transaction of the file. @default 4194304 */
  readonly walBytes?: number;
  /** The disk has failed: reads and watches go on, nothing is written any more. A server should stop being ready and end. */
  readonly onFailed?: (error: StoreError) => void;
  /** For tests. */
  readonly seams?: {
    readonly commit?: CommitSeam;
    readonly formats?: Formats;
    readonly changesPerCheckpoint?: number;
    /** Opening waits until the write-ahead log is made; otherwise the first writes come before it. */
    readonly walFirst?: boolean;
    /** Called after each step of a write. */
    readonly moment?: (at: Moment) => void;
  };
}

/** Opens the embedded store of a directory. @throws StoreError "unavailable" (in use), "unreadable" or "read-only" */
export async function openLmdbStore(options: LmdbStoreOptions): Promise<KeyValueStore> {
  const { directory, runtime } = options;
  const warn = (message: string): void => runtime.log.warn(message);
  const file = join(directory, "data.mdb");
  const lock = await takeDirectory(directory);
  let env: Environment | undefined;
  try {
    await removeLeftovers(file);
    const walPath = join(directory, "data.wal");
    if (checkDataFile(file).isNew) refuseLogAlone(file, walPath);
    // The library maps it, and a full disk would end that with a signal.
    if (!existsSync(`${file}-lock`)) await checkRoom(directory);
    env = openFile(file);
    await bringUpToDate(env, directory, options.seams?.formats ?? formats, warn);
    await syncDirectory(directory);
    const { walBytes = 4 * 1024 * 1024, reserveBytes = 4 * 1024 * 1024 } = options;
    const reserve = new DiskReserve(join(directory, "reserve"), reserveBytes);
    for (const line of await replayOnFullDisk(reserve, env, walPath, options.seams?.moment)) warn(line);
    const wal = new WalFile({
      path: walPath,
      bytes: walBytes,
      epoch: Buffer.from(runtime.random.bytes(6)).readUIntLE(0, 6),
      log: runtime.log,
      moment: options.seams?.moment,
    });
    if (options.seams?.walFirst) await wal.make();
    return new LmdbEngine(options, env, { file, wal, lock, reserve });
  } catch (err) {
    await env?.close();
    await lock.release();
    throw withAdvice(err, directory);
  }
}

/** What was set aside for a full disk is for what the log holds, too. */
async function replayOnFullDisk(
  reserve: DiskReserve,
  ...replayed: Parameters<typeof replayWal>
): Promise<readonly string[]> {
  try {
    return await replayWal(...replayed);
  } catch (err) {
    if (!isNoRoom(err)) throw err;
    reserve.release();
    return replayWal(...replayed);
  }
}

const isNoRoom = (err: unknown): boolean => (err as NodeJS.ErrnoException).code === "ENOSPC";

const noRoom = (cause: unknown, directory: string): StoreError =>
  new StoreError("full", `there is no room for the store in ${directory}. Free some space and try again`, { cause });

/** What is found once the file is open names the file only. */
function withAdvice(err: unknown, directory: string): unknown {
  if (isNoRoom(err)) return noRoom(err, directory);
  if (!(err instanceof StoreError) || !err.message.startsWith("data.mdb is damaged")) return err;
  return new StoreError(
    "unreadable",
    `the store in ${directory} cannot be opened: ${err.message}. "coxswain store check" names all that is damaged. Restore a backup into an empty directory`,
    { cause: err },
  );
}

class LmdbEngine extends LocalStore<LogEntry> {
  readonly #journal: LmdbJournal;
  readonly #lock: DirectoryLock;
  readonly #reserved: Promise<unknown>;

  constructor(
    { runtime, compaction = {}, onFailed, seams }: LmdbStoreOptions,
    env: Environment,
    { file, wal, lock, reserve }: { file: string; wal: WalFile; lock: DirectoryLock; reserve: DiskReserve },
  ) {
    const { index, revision, meta, leases, checkpoint, behind } = loadIndex(env);
    const sizeBytes = (): number => statSync(file).size;
    const seam = seams?.commit ?? ((commit) => commit());
    const journal = new LmdbJournal({
      env,
      wal,
      runtime,
      file,
      meta,
      revision,
      checkpoint,
      behind,
      reserve,
      changesPerCheckpoint: seams?.changesPerCheckpoint ?? 4096,
      seam,
      moment: seams?.moment,
      sizeBytes,
    });
    super({
      engine: "lmdb",
      runtime,
      journal,
      initial: { index, revision, compacted: meta.compacted, leases, lastLease: meta.lastLease },
      compaction: compaction === "off" ? undefined : compaction,
      onFailed,
    });
    this.#journal = journal;
    this.#lock = lock;
    // Opening does not wait for it: without a reserve a full disk only takes no deletes.
    this.#reserved = reserve.acquire();
  }

  defragment(): Promise<DefragmentResult> {
    return this.#journal.defragment();
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#reserved;
    await this.#lock.release();
  }
}

/** The log is made after the first write, so there was a file beside it once. */
function refuseLogAlone(file: string, walPath: string): void {
  if ((statSync(walPath, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  throw new StoreError(
    "unreadable",
    `${file} is missing or empty, and the write-ahead log ${walPath} of a store is beside it. Restore a backup; or move the log away, too, to start with an empty store`,
  );
}

async function takeDirectory(directory: string): Promise<DirectoryLock> {
  try {
    await makeDirectory(directory);
    return await lockDirectory(directory);
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException;
    if (code === "EACCES" || code === "EROFS" || code === "EPERM")
      throw new StoreError(
        "read-only",
        `the store needs to write in ${directory}, and may not (${code}). Give this user the right, or name another directory`,
        { cause: err },
      );
    if (isNoRoom(err)) throw noRoom(err, directory);
    if (code === "ENOTDIR" || code === "EEXIST")
      throw new StoreError("unreadable", `${directory} is not a directory`, { cause: err });
    throw err;
  }
}

async function makeDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch(async (err: NodeJS.ErrnoException) => {
    // On a read-only file system the recursive form reports ENOENT; the plain one reports EROFS.
    if (err.code === "ENOENT") await mkdir(directory);
    throw err;
  });
  await makePrivateDirectory(directory, "data.mdb");
}

function openFile(file: string): Environment {
  try {
    return new Environment(file);
  } catch (err) {
    const message = err instanceof Error ? err.message : String(err);
    throw new StoreError(
      "unreadable",
      `${file} cannot be opened (${message}). Restore a backup into an empty directory, or move the file away to start with an empty store`,
      { cause: err },
    );
  }
}
