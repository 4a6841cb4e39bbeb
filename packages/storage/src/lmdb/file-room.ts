import { open } from "node:fs/promises";

const piece = Buffer.alloc(1024 * 1024);

export interface FileRoomOptions {
  readonly file: string;
  /** How much room to keep, in bytes; 0: none. */
  readonly ahead: number;
  /** How much of the file is in use, in bytes. */
  readonly usedBytes: () => number;
  readonly sizeBytes: () => number;
}

/**
 * Keeps the data file longer than what is in use. A sync of a file that has not grown waits for its own bytes alone; one of a
 * file that has grown also waits for the file system's journal, and so for whatever all other processes have just done.
 *
 * Guarantees: it only ever appends, and the kernel puts an append behind everything that is in the file at that moment. So it
 * cannot write over a page, however commits and it overlap; a commit simply writes over the zeros.
 */
export class FileRoom {
  readonly #options: FileRoomOptions;
  #size: number;
  #growing: Promise<void> | undefined;
  #stopped = false;

  constructor(options: FileRoomOptions) {
    this.#options = options;
    this.#size = options.sizeBytes();
  }

  /** Makes room if there is little left. Nobody waits for it, and it may fail: then commits make their own. */
  look(): void {
    const { ahead, usedBytes } = this.#options;
    if (this.#growing || this.#stopped || this.#size - usedBytes() >= ahead / 2) return;
    this.#growing = this.#grow().then(
      () => void (this.#growing = undefined),
      () => void (this.#stopped = true), // no room on the disk: commits will find out whether there is some for them
    );
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#growing;
  }

  /** Leaves the file alone while another one takes its place. */
  async whileStopped(work: () => Promise<void>): Promise<void> {
    const stopped = this.#stopped;
    await this.stop();
    try {
      await work();
    } finally {
      this.#stopped = stopped;
      this.#size = this.#options.sizeBytes();
    }
  }

  /** Piece by piece, each synced by itself: a commit that syncs at the same time waits for one piece, not for all. */
  async #grow(): Promise<void> {
    const { file, ahead, usedBytes, sizeBytes } = this.#options;
    const handle = await open(file, "a");
    try {
      for (this.#size = sizeBytes(); this.#size < usedBytes() + ahead && !this.#stopped; this.#size = sizeBytes()) {
        await handle.write(piece);
        await handle.datasync();
      }
    } finally {
      await handle.close();
    }
  }
}
