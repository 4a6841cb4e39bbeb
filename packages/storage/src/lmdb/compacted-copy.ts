import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncDirectory, syncFile } from "../files/sync-file.js";
import { checkRoom, roomForAll } from "./disk-room.js";
import { Environment } from "./environment.js";
import { endOfLog } from "./position.js";

const changesPerCommit = 500;

/** A copy that is not finished, and what the library puts beside it. None of them means anything after a crash. */
const leftovers = (file: string): string[] => [`${file}.partial`, `${file}.partial-lock`];

export async function removeLeftovers(file: string): Promise<void> {
  for (const name of leftovers(file)) await rm(name, { force: true });
}

/**
 * A copy of the data file without its free pages, made while the file is in use and kept close behind it.
 *
 * Assumptions: meanwhile the log only grows at its end and the index on disk does not change; that is, maintenance is suspended.
 */
export class CompactedCopy {
  readonly #source: Environment;
  readonly #copy: Environment;
  readonly #file: string;

  static async of(source: Environment, file: string): Promise<CompactedCopy> {
    await removeLeftovers(file);
    const partial = `${file}.partial`;
    try {
      await source.root.backup(partial, true);
      await syncFile(partial);
      // The library is about to map a lock file beside it, which a full disk would end with a signal.
      await checkRoom(dirname(file));
      return new CompactedCopy(source, file);
    } catch (err) {
      await removeLeftovers(file);
      throw err;
    }
  }

  private constructor(source: Environment, file: string) {
    this.#source = source;
    this.#file = file;
    this.#copy = new Environment(`${file}.partial`);
    this.#copy.openTables();
  }

  /** Copies what has been appended to the log since; resolves to how many changes that were. */
  async catchUp(): Promise<number> {
    let copied = 0;
    for (;;) {
      const newest = this.#copy.newest();
      const start = newest === undefined ? { revision: 0, sub: 0 } : { revision: newest.revision, sub: newest.sub + 1 };
      const rows = this.#source.page({ start, end: endOfLog, limit: changesPerCommit });
      if (rows.length === 0) return copied;
      await this.#copy.commit(
        (writer) => {
          for (const { position, bytes } of rows) writer.appendChange(position, bytes);
        },
        roomForAll(rows.map(({ bytes }) => bytes)),
      );
      copied += rows.length;
    }
  }

  /** The rest, while nobody writes. After it the copy holds what the file holds, on disk. */
  async complete(): Promise<void> {
    await this.catchUp();
    const leases = this.#source.leases();
    const kept = new Set(leases.map(({ lease }) => lease));
    await this.#copy.commit((writer) => {
      for (const { lease } of this.#copy.leases()) if (!kept.has(lease)) writer.removeLease(lease);
      for (const { lease, ttlMs } of leases) writer.putLease(lease, ttlMs);
      writer.putMeta(this.#source.meta());
    });
  }

  /** One step on disk: a later opening finds the old file or the new one, and both are complete. */
  async takePlace(): Promise<void> {
    await rename(`${this.#file}.partial`, this.#file);
    // At once: what is written from here on must go to the file that has the name.
    this.#source.takeOver(this.#copy);
  }

  /** The new name is on disk, too. Before that nothing may be written to it that stands nowhere else. */
  async settle(): Promise<void> {
    await syncDirectory(dirname(this.#file));
    await removeLeftovers(this.#file);
  }

  async discard(): Promise<void> {
    await this.#copy.close();
    await removeLeftovers(this.#file);
  }
}
