import type { Writable } from "node:stream";

/** Resolves when a stream can take more, or never will again; undefined: it can now. Who writes without waiting fills the memory. */
export function drained(stream: Writable): Promise<void> | undefined {
  if (!stream.writableNeedDrain || stream.destroyed) return undefined;
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off("drain", done).off("close", done);
      resolve();
    };
    stream.on("drain", done).on("close", done);
  });
}
