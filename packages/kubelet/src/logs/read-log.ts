import type { Clock } from "@coxswain/runtime/clock";
import type { LogLine, LogOptions } from "../runtime/container-runtime.js";
import { createFileEvents, type FileEvents } from "./file-events.js";
import { LogReader } from "./log-reader.js";

/** How long the runtime may go on writing into a file that was renamed. */
const reopenMs = 1000;

export interface ReadLogRequest {
  readonly path: string;
  readonly options: LogOptions;
  /** Of files: always real. */
  readonly ioClock: Clock;
  /** Aborts when the container does not run any more: what is there then is all there will be. */
  readonly exited: AbortSignal;
  /** Nobody reads any more. */
  readonly signal: AbortSignal;
}

/**
 * The lines of a container's log file (k8s.io/cri-client/pkg/logs, ReadLogs). A line is valid until the next one is asked for.
 *
 * With `follow` it goes on until the container has exited, in the file's successor when the log is rotated: the old file is read to
 * its end first, so no line is lost. Files that were rotated before are not read, as upstream's.
 * @throws LogError where there is no such log
 */
export async function* readLog(request: ReadLogRequest): AsyncGenerator<LogLine> {
  const { path, options, signal } = request;
  const { sinceMs = Number.NEGATIVE_INFINITY } = options;
  const reader = await LogReader.open(path);
  const following = options.follow ? new LogFollower(reader, request) : undefined;
  try {
    const end = options.tail === undefined ? await reader.size() : await reader.seekTail(options.tail);
    for (;;) {
      const lines = following ? await following.read() : await reader.read(end);
      if (!lines || signal.aborted) return;
      for (const line of lines) if (line.at >= sinceMs) yield line;
    }
  } finally {
    following?.stop();
    await reader.close();
  }
}

/** Reads a log that grows and is rotated. */
class LogFollower {
  readonly #reader: LogReader;
  readonly #request: ReadLogRequest;
  readonly #events: FileEvents;

  constructor(reader: LogReader, request: ReadLogRequest) {
    const { path, ioClock, exited, signal } = request;
    this.#reader = reader;
    this.#request = request;
    this.#events = createFileEvents(path, ioClock, [exited, signal]);
  }

  /** The next lines, once there are some; undefined: no more come. */
  async read(): Promise<readonly LogLine[] | undefined> {
    const { exited, signal } = this.#request;
    while (!signal.aborted) {
      // Asked before the read: what a container that has exited wrote is there by then.
      const isOver = exited.aborted;
      const lines = await this.#reader.read();
      if (lines) return lines;
      if (!(await this.#reader.successor())) {
        if (isOver) return undefined;
        await this.#events.next();
        continue;
      }
      if (!isOver) await reopened(this.#reader, { events: this.#events, ...this.#request });
      const last = await this.#reader.read();
      if (last) return last; // there may be more: the end comes again
      await this.#reader.reopen();
    }
    return undefined;
  }

  stop(): void {
    this.#events.stop();
  }
}

/** Resolves when the runtime writes into the new file, and so no more into the old one. */
async function reopened(
  reader: LogReader,
  { events, ioClock, signal }: { readonly events: FileEvents; readonly ioClock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const until = ioClock.monotonic() + reopenMs;
  while (!signal.aborted && (await reader.successor())?.size === 0) {
    const left = until - ioClock.monotonic();
    if (left <= 0) return;
    await events.next(left);
  }
}
