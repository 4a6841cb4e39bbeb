import { readFile } from "node:fs/promises";
import type { Clock } from "@coxswain/runtime/clock";

/** A file that is replaced now and then: tokens and certificates. */
export interface WatchedFile {
  /** Its content, read again once it is older than the period. A file that has gone keeps its last content. */
  current(): string | Promise<string>;
  /** The next `current` reads it again. */
  expire(): void;
}

export function watchFile(path: string, { clock, periodMs }: { clock: Clock; periodMs: number }): WatchedFile {
  let known: { text: string; readAt: number } | undefined;
  let reading: Promise<string> | undefined;
  const read = async (): Promise<string> => {
    try {
      const text = await readFile(path, "utf8");
      if (text.trim() === "") throw new Error(`${path} is empty`);
      known = { text, readAt: clock.monotonic() };
      return text;
    } catch (error) {
      // It may be in the middle of being replaced; the old content is good for another period.
      if (known === undefined) throw error;
      known = { text: known.text, readAt: clock.monotonic() };
      return known.text;
    } finally {
      reading = undefined;
    }
  };
  return {
    current() {
      if (known !== undefined && clock.monotonic() - known.readAt < periodMs) return known.text;
      return (reading ??= read());
    },
    expire: () => void (known &&= { text: known.text, readAt: Number.NEGATIVE_INFINITY }),
  };
}
