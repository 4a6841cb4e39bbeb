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
  const reader = await LogReader.open(path);
  try {
    const end = options.tail === undefined ? await reader.size() : await reader.seekTail(options.tail);
    for await (const line of options.follow ? followed(reader, request) : reader.read(end)) {
      if (signal.aborted) return;
      if (options.sinceMs === undefined || line.at >= options.sinceMs) yield line;
    }
  } finally {
    await reader.close();
  }
}

async function* followed(
  reader: LogReader,
  { path, ioClock, exited, signal }: ReadLogRequest,
): AsyncGenerator<LogLine> {
  const events = createFileEvents(path, ioClock, [exited, signal]);
  try {
    for (;;) {
      // Asked before the read: what a container that has exited wrote is there by then.
      const isOver = exited.aborted;
      yield* reader.read();
      if (signal.aborted) return;
      if (await reader.successor()) {
        if (!isOver) await reopened(reader, { events, ioClock, signal });
        yield* reader.read();
        await reader.reopen();
      } else if (isOver) return;
      else await events.next();
    }
  } finally {
    events.stop();
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
