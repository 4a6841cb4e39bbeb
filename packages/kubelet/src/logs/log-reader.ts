import { type FileHandle, stat } from "node:fs/promises";
import type { LogLine } from "../runtime/container-runtime.js";
import { CriLogParser } from "./cri-log-parser.js";
import { findTail } from "./find-tail.js";
import { openLog } from "./open-log.js";

const blockBytes = 64 * 1024;

/** A place in a log file. Lines are views of one buffer: they are valid until the next ones are read. */
export class LogReader {
  readonly #path: string;
  readonly #buffer = Buffer.allocUnsafe(blockBytes);
  #file: FileHandle;
  #inode: number;
  #parser = new CriLogParser();
  #position = 0;

  private constructor(path: string, file: FileHandle, inode: number) {
    this.#path = path;
    this.#file = file;
    this.#inode = inode;
  }

  /** @throws LogError */
  static async open(path: string): Promise<LogReader> {
    const file = await openLog(path);
    return new LogReader(path, file, (await file.stat()).ino);
  }

  async size(): Promise<number> {
    return (await this.#file.stat()).size;
  }

  /** Goes to where the last lines begin. Returns where they end. */
  async seekTail(count: number): Promise<number> {
    const { start, end } = await findTail(this.#file, await this.size(), count);
    this.#position = start;
    return end;
  }

  /** The next lines; undefined at the end of the file, which may grow, or at `end`. */
  async read(end = Number.POSITIVE_INFINITY): Promise<readonly LogLine[] | undefined> {
    while (this.#position < end) {
      const wanted = Math.min(blockBytes, end - this.#position);
      const { bytesRead } = await this.#file.read(this.#buffer, 0, wanted, this.#position);
      if (bytesRead > 0) {
        this.#position += bytesRead;
        return this.#parser.push(this.#buffer.subarray(0, bytesRead));
      }
      if ((await this.size()) >= this.#position) return undefined;
      this.#restart();
    }
    return undefined;
  }

  /** Whether there is another file under the log's name, and how long that is. */
  async successor(): Promise<{ readonly size: number } | undefined> {
    const found = await stat(this.#path).catch(() => undefined);
    return found && found.ino !== this.#inode ? { size: found.size } : undefined;
  }

  /** Goes on with the file that has the log's name now. @throws LogError */
  async reopen(): Promise<void> {
    const file = await openLog(this.#path);
    await this.#file.close();
    this.#file = file;
    this.#inode = (await file.stat()).ino;
    this.#restart();
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  #restart(): void {
    this.#position = 0;
    this.#parser = new CriLogParser();
  }
}
