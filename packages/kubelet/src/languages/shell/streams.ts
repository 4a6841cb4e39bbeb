import type { Budget } from "../budget.js";

/** What a process reads, piece by piece. */
export interface Input {
  /** Undefined: there is no more. */
  read(): Promise<Uint8Array | undefined>;
  /** Puts back what was read too much: the next `read` returns it. Undefined: nothing more than a line is ever read. */
  unread?(piece: Uint8Array): void;
}

/** Where a process writes. */
export interface Output {
  write(chunk: Uint8Array): void;
  /** A promise while the reader is behind: a process writes no more until it resolves. */
  drained(): Promise<void> | undefined;
}

/** Nobody reads any more what a process writes into a pipe: SIGPIPE. */
export class BrokenPipe extends Error {
  override readonly name = "BrokenPipe";
}

export const emptyInput: Input = { read: async () => undefined };

/** Bytes that a process reads or writes at once. */
export const pieceBytes = 16 * 1024;

/** Reads what is there already. */
export function inputOf(content: Uint8Array): Input {
  let at = 0;
  return {
    async read() {
      if (at >= content.length) return undefined;
      const piece = content.subarray(at, at + pieceBytes);
      at += piece.length;
      return piece;
    },
    unread: (piece) => void (at -= piece.length),
  };
}

export function inputFrom(chunks: AsyncIterable<Uint8Array>): Input {
  let iterator: AsyncIterator<Uint8Array> | undefined;
  let held: Uint8Array | undefined;
  return {
    unread: (piece) => void (held = piece),
    async read() {
      const again = held;
      held = undefined;
      if (again) return again;
      iterator ??= chunks[Symbol.asyncIterator]();
      const { done, value } = await iterator.next();
      return done ? undefined : value;
    },
  };
}

export interface Pipe {
  readonly input: Input;
  readonly output: Output;
  /** Nothing more is written. */
  end(): void;
  /** Nothing more is read. */
  close(): void;
}

/** A pipe's capacity on Linux. */
const pipeBytes = 64 * 1024;
/** What a chunk takes apart from its bytes. */
const chunkBytes = 64;

/** @param memory of all processes that share the pipe */
export function createPipe(memory: Budget): Pipe {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let state: "open" | "ended" | "closed" = "open";
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const goOn of woken) goOn();
  };
  const change = (): Promise<void> => new Promise((resolve) => void waiting.push(resolve));
  const take = (chunk: Uint8Array): void => {
    size -= chunk.length + chunkBytes;
    memory.release(chunk.length + chunkBytes);
  };
  return {
    input: {
      unread(piece) {
        memory.hold(piece.length + chunkBytes);
        size += piece.length + chunkBytes;
        chunks.unshift(piece);
      },
      async read() {
        for (;;) {
          const chunk = chunks.shift();
          if (chunk) {
            take(chunk);
            wake();
            return chunk;
          }
          if (state !== "open") return undefined;
          await change();
        }
      },
    },
    output: {
      write(chunk) {
        if (state === "closed") throw new BrokenPipe();
        if (chunk.length === 0 || state === "ended") return;
        memory.hold(chunk.length + chunkBytes);
        size += chunk.length + chunkBytes;
        chunks.push(chunk);
        wake();
      },
      drained: () => (size <= pipeBytes || state === "closed" ? undefined : change()),
    },
    end() {
      if (state === "open") state = "ended";
      wake();
    },
    close() {
      state = "closed";
      for (const chunk of chunks.splice(0)) take(chunk);
      wake();
    },
  };
}

/** Rejects with the signal's reason when it aborts first. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
