import type { Clock } from "@coxswain/runtime/clock";
import type { LogLine, LogOptions } from "../runtime/container-runtime.js";

/** What a container has written, line by line. Old lines go when there are too many. */
export interface ContainerLog {
  write(stream: LogLine["stream"], chunk: Uint8Array): void;
  /** Nothing more comes: those who follow are done, and an unfinished line counts. */
  close(): void;
  read(options: LogOptions, signal: AbortSignal): AsyncIterable<LogLine>;
  /** The last lines, at most so many bytes of them. */
  tail(lines: number, bytes: number): string;
  /** Chunks as they are written from now on; returns a function that unsubscribes. */
  subscribe(see: (stream: LogLine["stream"], chunk: Uint8Array) => void): () => void;
}

/** Upstream rotates files at 10 MiB; a simulated pod keeps less. */
const maxLines = 10_000;
const maxLineLength = 16 * 1024;

export function createContainerLog(clock: Clock): ContainerLog {
  const lines: LogLine[] = [];
  /** How many lines were dropped: the number of the first that is kept. */
  let dropped = 0;
  let isClosed = false;
  const partial = { stdout: "", stderr: "" };
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  const subscribers = new Set<(stream: LogLine["stream"], chunk: Uint8Array) => void>();
  let waiting: (() => void)[] = [];

  function wakeAll(): void {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  }

  function push(stream: LogLine["stream"], text: string): void {
    lines.push({ at: clock.now(), stream, text });
    if (lines.length <= maxLines * 2) return;
    dropped += lines.length - maxLines;
    lines.splice(0, lines.length - maxLines);
  }

  async function* read({ follow, tail, sinceMs }: LogOptions, signal: AbortSignal): AsyncGenerator<LogLine> {
    let next = tail === undefined ? dropped : Math.max(dropped, dropped + lines.length - tail);
    for (;;) {
      next = Math.max(next, dropped);
      for (; next < dropped + lines.length; next++) {
        const line = lines[next - dropped] as LogLine;
        if (sinceMs === undefined || line.at >= sinceMs) yield line;
      }
      if (!follow || isClosed || signal.aborted) return;
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
  }

  return {
    write(stream, chunk) {
      for (const see of subscribers) see(stream, chunk);
      const parts = (partial[stream] + decoders[stream].decode(chunk, { stream: true })).split("\n");
      partial[stream] = parts.pop() ?? "";
      for (const part of parts) push(stream, part);
      if (partial[stream].length > maxLineLength) {
        push(stream, partial[stream]);
        partial[stream] = "";
      }
      wakeAll();
    },
    close() {
      isClosed = true;
      for (const stream of ["stdout", "stderr"] as const) if (partial[stream] !== "") push(stream, partial[stream]);
      partial.stdout = partial.stderr = "";
      wakeAll();
    },
    read,
    tail: (count, bytes) =>
      lines
        .slice(-count)
        .map(({ text }) => `${text}\n`)
        .join("")
        .slice(-bytes),
    subscribe(see) {
      subscribers.add(see);
      return () => void subscribers.delete(see);
    },
  };
}
