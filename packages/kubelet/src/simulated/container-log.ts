import type { Clock } from "@coxswain/runtime/clock";
import type { ExecStreams, LogLine, LogOptions } from "../runtime/container-runtime.js";
import type { LogSpace } from "./log-space.js";

/** What a container has written, line by line. Old lines go when there are too many. */
export interface ContainerLog {
  write(stream: LogLine["stream"], chunk: Uint8Array): void;
  /** Whether nothing was ever written. */
  readonly isEmpty: boolean;
  /** A promise while somebody who is attached to the container is behind. */
  drained(): Promise<void> | undefined;
  /** Nothing more comes: those who follow are done, and an unfinished line counts. */
  close(): void;
  read(options: LogOptions, signal: AbortSignal): AsyncIterable<LogLine>;
  /** The last lines, at most so many bytes of them. */
  tail(lines: number, bytes: number): string;
  /** Chunks as they are written from now on; returns a function that unsubscribes. */
  subscribe(streams: Pick<ExecStreams, "stdout" | "stderr" | "drained">): () => void;
  /** Nobody reads it any more. */
  discard(): void;
}

/**
 * Upstream's kubelet rotates a log at 10 MiB and keeps five files (containerLogMaxSize, containerLogMaxFiles); a simulated container
 * keeps less, because its log is memory.
 */
const logBytes = 1024 * 1024;
/** A longer line is kept in parts, as container runtimes write it. */
const maxLineLength = 16 * 1024;
/** What a line takes apart from its characters. */
const lineBytes = 96;
/** Bytes that are decoded at once. */
const pieceBytes = 64 * 1024;

/** A line as it is kept. */
interface StoredLine {
  readonly at: number;
  readonly stream: LogLine["stream"];
  readonly text: string;
  readonly isPartial?: boolean;
}

const encoder = new TextEncoder();

/** With nanoseconds, as container runtimes write them. */
const timeText = (at: number): string => new Date(at).toISOString().replace("Z", "000000Z");

const readLine = ({ at, stream, text, isPartial }: StoredLine): LogLine => ({
  time: timeText(at),
  at,
  stream,
  content: encoder.encode(text),
  ...(isPartial && { isPartial }),
});

const sizeOf = ({ text }: StoredLine): number => lineBytes + text.length;

/** The newest lines, each with a number that it keeps. */
class LogLines {
  readonly #space: LogSpace;
  readonly #lines: StoredLine[] = [];
  /** The number of the first line that is kept. */
  first = 0;
  bytes = 0;

  constructor(space: LogSpace) {
    this.#space = space;
    space.add(this);
  }

  get end(): number {
    return this.first + this.#lines.length;
  }

  at(number: number): StoredLine {
    return this.#lines[number - this.first] as StoredLine;
  }

  push(line: StoredLine): void {
    this.#lines.push(line);
    this.#grow(sizeOf(line));
    // A quarter at a time: dropping lines moves those that stay.
    if (this.bytes > logBytes) this.trim(logBytes * 0.75);
  }

  trim(bytes: number): void {
    let count = 0;
    let size = this.bytes;
    while (size > bytes) size -= sizeOf(this.#lines[count++] as StoredLine);
    this.#lines.splice(0, count);
    this.first += count;
    this.#grow(size - this.bytes);
  }

  last(count: number): readonly StoredLine[] {
    return count <= 0 ? [] : this.#lines.slice(-count);
  }

  discard(): void {
    this.trim(0);
    this.#space.remove(this);
  }

  #grow(bytes: number): void {
    this.bytes += bytes;
    this.#space.grow(bytes);
  }
}

/** Splits what one stream writes into lines. */
class LineWriter {
  readonly #lines: LogLines;
  readonly #stream: LogLine["stream"];
  readonly #clock: Clock;
  readonly #decoder = new TextDecoder();
  /** Of a line whose end has not been written yet. */
  #rest = "";

  constructor(lines: LogLines, stream: LogLine["stream"], clock: Clock) {
    this.#lines = lines;
    this.#stream = stream;
    this.#clock = clock;
  }

  write(piece: Uint8Array): void {
    const [first = "", ...others] = this.#decoder.decode(piece, { stream: true }).split("\n");
    this.#rest += first;
    for (const next of others) {
      this.#pushParts();
      this.#push(this.#rest, false);
      this.#rest = next;
    }
    this.#pushParts();
  }

  /** An unfinished line counts. */
  end(): void {
    if (this.#rest !== "") this.#push(this.#rest, false);
    this.#rest = "";
  }

  #pushParts(): void {
    for (; this.#rest.length > maxLineLength; this.#rest = this.#rest.slice(maxLineLength))
      this.#push(this.#rest.slice(0, maxLineLength), true);
  }

  #push(text: string, isPartial: boolean): void {
    this.#lines.push({ at: this.#clock.now(), stream: this.#stream, text, ...(isPartial && { isPartial }) });
  }
}

export function createContainerLog(clock: Clock, space: LogSpace): ContainerLog {
  const lines = new LogLines(space);
  let isClosed = false;
  const writers = { stdout: new LineWriter(lines, "stdout", clock), stderr: new LineWriter(lines, "stderr", clock) };
  const subscribers = new Set<Pick<ExecStreams, "stdout" | "stderr" | "drained">>();
  const waiting = new Set<() => void>();

  function wakeAll(): void {
    for (const wake of waiting) wake();
  }

  async function* read({ follow, tail, sinceMs }: LogOptions, signal: AbortSignal): AsyncGenerator<LogLine> {
    let next = tail === undefined ? lines.first : Math.max(lines.first, lines.end - tail);
    let wake = (): void => {};
    const awake = (): void => wake();
    waiting.add(awake);
    signal.addEventListener("abort", awake, { once: true });
    try {
      for (;;) {
        // Lines may be dropped while the reader is busy with one.
        for (next = Math.max(next, lines.first); next < lines.end; next = Math.max(next + 1, lines.first)) {
          const line = lines.at(next);
          if (sinceMs === undefined || line.at >= sinceMs) yield readLine(line);
        }
        if (!follow || isClosed || signal.aborted) return;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      waiting.delete(awake);
      signal.removeEventListener("abort", awake);
    }
  }

  return {
    get isEmpty() {
      return lines.end === 0;
    },
    write(stream, chunk) {
      for (const streams of subscribers) streams[stream](chunk);
      for (let at = 0; at < chunk.length; at += pieceBytes) writers[stream].write(chunk.subarray(at, at + pieceBytes));
      wakeAll();
    },
    drained() {
      for (const streams of subscribers) {
        const drained = streams.drained();
        if (drained) return drained;
      }
      return undefined;
    },
    close() {
      isClosed = true;
      writers.stdout.end();
      writers.stderr.end();
      wakeAll();
    },
    read,
    tail: (count, bytes) =>
      lines
        .last(count)
        .map(({ text, isPartial }) => (isPartial ? text : `${text}\n`))
        .join("")
        .slice(-bytes),
    subscribe(streams) {
      subscribers.add(streams);
      return () => void subscribers.delete(streams);
    },
    discard: () => lines.discard(),
  };
}
