import type { RequestLimit } from "../transport/request-limit.js";
import type { WatchStream } from "../transport/watch-event.js";
import { watchBytes } from "./watch-bytes.js";

export interface WatchChunksOptions {
  readonly limit: RequestLimit;
  /** Ends the request: nobody reads on. */
  cancel(): void;
  /** The error of the watch when `chunks` fails. After a stop there is none. */
  failure(cause: unknown): Error;
}

/** A watch over bytes that are asked for: the next chunk when there is room for it. */
export function watchChunks(
  chunks: AsyncIterable<Uint8Array>,
  { limit, cancel, failure }: WatchChunksOptions,
): WatchStream {
  limit.endTimer();
  let room: (() => void) | undefined;
  const { stream, sink } = watchBytes(
    {
      pause: () => void (room ??= () => {}),
      resume() {
        room?.();
        room = undefined;
      },
      cancel() {
        room?.();
        cancel();
      },
    },
    { signal: limit.signal, onOver: limit.release },
  );
  void (async () => {
    try {
      for await (const chunk of chunks) {
        sink.data(chunk);
        if (room !== undefined) await new Promise<void>((resolve) => (room = resolve));
      }
      sink.end();
    } catch (cause) {
      sink.fail(failure(cause));
    }
  })();
  return stream;
}
