import { truncateSync } from "node:fs";
import { open, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import { freeBytes, roomFor } from "./disk-room.js";

const nearlyNothing = 256 * 1024;
const chunk = Buffer.alloc(1024 * 1024);

/**
 * Room set aside in a file of its own. When the disk is full it is given up, so that deletes and compaction, which need a little
 * room to make more, still work; it is taken back once there is space again.
 */
export class DiskReserve {
  readonly #file: string;
  readonly #bytes: number;
  #held = false;

  constructor(file: string, bytes: number) {
    this.#file = file;
    this.#bytes = bytes;
  }

  /** Whether so much could still be written when nothing else is left. Where no room is to be set aside, it is taken for granted. */
  covers(bytes: number): boolean {
    return this.#bytes === 0 || (this.#held && bytes <= this.#bytes);
  }

  /** Synchronously: the next commit needs the room. */
  release(): void {
    this.#held = false;
    try {
      truncateSync(this.#file, 0);
    } catch {
      // It was never made: then there is nothing to give up.
    }
  }

  /** Whether the room is set aside, now or already before; where none is to be, whether there is any. Never rejects: no room is an answer. */
  async acquire(): Promise<boolean> {
    if (this.#held) return true;
    const free = await freeBytes(dirname(this.#file));
    // As much again stays free, or the next write would be refused right away.
    if (free < 2 * this.#bytes + roomFor(0)) return false;
    if (this.#bytes === 0) return true;
    try {
      await this.#fill();
      this.#held = true;
      return true;
    } catch {
      await truncate(this.#file, 0).catch(() => undefined);
      return false;
    }
  }

  /** Whether there is next to nothing left on the disk. */
  async isDiskFull(): Promise<boolean> {
    return (await freeBytes(dirname(this.#file))) < nearlyNothing;
  }

  async #fill(): Promise<void> {
    const file = await open(this.#file, "a+", 0o600);
    try {
      let { size } = await file.stat();
      for (; size < this.#bytes; size += chunk.length)
        await file.write(chunk.subarray(0, Math.min(chunk.length, this.#bytes - size)));
      await file.datasync();
    } finally {
      await file.close();
    }
  }
}
