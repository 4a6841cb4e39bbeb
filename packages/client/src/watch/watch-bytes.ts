import { BatchQueue } from "../transport/batch-queue.js";
import type { WatchEvent, WatchStream } from "../transport/watch-event.js";
import { WatchDecoder } from "./watch-decoder.js";

/** What pushes the bytes of a watch; a transport's side of it. */
export interface WatchSource {
  pause(): void;
  resume(): void;
  /** Nobody reads on. */
  cancel(): void;
}

export interface WatchSink {
  data(chunk: Uint8Array): void;
  /** The server has ended the watch. */
  end(): void;
  /** The connection was lost. */
  fail(error: Error): void;
}

export interface WatchBytesOptions {
  /** Aborting is stopping: iteration ends without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Called once, when the watch has ended in whatever way. */
  readonly onOver?: (() => void) | undefined;
}

/**
 * A watch over bytes as they come. Events are decoded on arrival; while more than 1,000 wait to be read the source is
 * paused, so that a slow reader costs the server and not our memory.
 */
export function watchBytes(
  source: WatchSource,
  { signal, onOver }: WatchBytesOptions = {},
): { stream: WatchStream; sink: WatchSink } {
  const decoder = new WatchDecoder();
  const stop = (): void => queue.stop();
  const over = (): void => {
    signal?.removeEventListener("abort", stop);
    onOver?.();
  };
  const queue = new BatchQueue<WatchEvent>({
    onFull: () => source.pause(),
    onRoom: () => source.resume(),
    onStop() {
      source.cancel();
      over();
    },
  });
  const finish = (error?: unknown): void => {
    if (queue.ended) return;
    queue.end(error);
    over();
  };
  const sink: WatchSink = {
    data(chunk) {
      const events: WatchEvent[] = [];
      try {
        decoder.push(chunk, events);
        queue.push(events);
      } catch (error) {
        queue.push(events);
        finish(error);
        source.cancel();
      }
    },
    end() {
      try {
        decoder.finish();
        finish();
      } catch (error) {
        finish(error);
      }
    },
    // A transport may notice the abort first; it is a stop all the same.
    fail: (error) => finish(signal?.aborted ? undefined : error),
  };
  if (signal?.aborted) stop();
  else signal?.addEventListener("abort", stop, { once: true });
  return { stream: queue, sink };
}
