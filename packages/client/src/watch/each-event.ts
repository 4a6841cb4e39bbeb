import type { WatchEvent, WatchStream } from "../transport/watch-event.js";

/** The events of a watch one by one: `for await (const event of eachEvent(stream))`. Leaving the loop stops the watch. */
export async function* eachEvent<T>(stream: WatchStream<T>): AsyncGenerator<WatchEvent<T>, void> {
  try {
    for await (const batch of stream) yield* batch;
  } finally {
    stream.stop();
  }
}
