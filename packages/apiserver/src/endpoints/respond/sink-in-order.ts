import type { Soon } from "@coxswain/runtime/soon";
import type { Delivery } from "../../cache/cache-event.js";
import type { WatchSink } from "../../cache/watcher.js";

/**
 * A sink whose events are changed on their way. Where that takes time, the watcher waits (its backpressure), so that
 * events stay in order and bookmarks behind them; the end of the watch comes after what was under way. Events that cannot
 * be converted end the watch: the client lists again and receives the error there.
 */
export function sinkInOrder(
  sink: WatchSink,
  change: (deliveries: readonly Delivery[]) => Soon<readonly Delivery[]>,
): WatchSink {
  let busy: Promise<void> | undefined;
  /** Bookmarks that came while events were being changed. */
  let bookmarks: (() => void)[] = [];
  const hand = (deliveries: readonly Delivery[]): Promise<void> | undefined =>
    deliveries.length > 0 ? sink.deliver(deliveries) : undefined;
  async function deliverLater(changing: Promise<readonly Delivery[]>): Promise<void> {
    try {
      await hand(await changing);
      for (const send of bookmarks) send();
    } finally {
      bookmarks = [];
      busy = undefined;
    }
  }
  return {
    deliver(deliveries) {
      const changed = change(deliveries);
      if (!(changed instanceof Promise)) return hand(changed);
      busy = deliverLater(changed);
      return busy;
    },
    bookmark(revision, initial) {
      if (busy) bookmarks.push(() => sink.bookmark(revision, initial));
      else sink.bookmark(revision, initial);
    },
    end(reason) {
      if (!busy) sink.end(reason);
      else
        busy.then(
          () => sink.end(reason),
          () => sink.end(reason),
        );
    },
  };
}
