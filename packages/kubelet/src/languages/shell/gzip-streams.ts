import { createGunzip, gzipSync } from "node:zlib";
import { during } from "@coxswain/runtime/activity";
import { readPiece, type ShellProcess } from "./shell-process.js";
import { type Input, pieceBytes } from "./streams.js";

/** Collects what is written and passes it on compressed, piece by piece: a gzip file is a series of members (RFC 1952, 2.2). */
export function createGzip(write: (bytes: Uint8Array) => void): { write(bytes: Uint8Array): void; end(): void } {
  let held: Uint8Array[] = [];
  let size = 0;
  const flush = (): void => {
    write(gzipSync(Buffer.concat(held)));
    held = [];
    size = 0;
  };
  return {
    write(bytes) {
      held.push(bytes);
      size += bytes.length;
      if (size >= pieceBytes) flush();
    },
    end: flush,
  };
}

/** Deflate makes at most some 1,032 bytes of one: what is decompressed at once is a megabyte. */
const fedBytes = 1024;

/** What the process reads, decompressed. Its `read` @throws Error where that is not gzip, or ends too early */
export function gunzipped(process: ShellProcess): Input {
  const gunzip = createGunzip();
  const ready: Uint8Array[] = [];
  gunzip.on("data", (chunk: Uint8Array) => void ready.push(chunk));
  let held: Uint8Array = new Uint8Array();
  let isOver = false;
  const failed = new Promise<never>((_, reject) => gunzip.once("error", reject));
  failed.catch(() => {}); // also where nobody reads any more
  /** Done when what is fed is decompressed, which takes a thread: a virtual clock waits for it. */
  const feed = (bytes: Uint8Array | undefined): Promise<void> =>
    during(process.runtime.activity, async () => {
      const fed = new Promise<void>((resolve) => {
        if (bytes) gunzip.write(bytes, () => resolve());
        else gunzip.end(() => resolve());
      });
      // What was made of it, and an end that came too early, may be reported only in the next iteration.
      await Promise.race([fed.then(() => process.runtime.scheduler.nextIteration()), failed]);
    });
  return {
    async read() {
      while (ready.length === 0 && !isOver) {
        if (held.length === 0) {
          const piece = await readPiece(process);
          isOver = piece === undefined;
          held = piece ?? held;
        }
        await feed(isOver ? undefined : held.subarray(0, fedBytes));
        held = held.subarray(fedBytes);
      }
      return ready.shift();
    },
  };
}
