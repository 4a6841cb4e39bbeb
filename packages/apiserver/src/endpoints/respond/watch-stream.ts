import type { Clock } from "@coxswain/runtime/clock";
import type { Delivery } from "../../cache/cache-event.js";
import type { WatchSink } from "../../cache/watcher.js";
import type { WatchAnswer } from "../../request/answer.js";
import type { EventForm } from "../../request/form.js";

/** Where a watch's events go. */
export interface EventSink {
  /** Whole events, one behind the other, of these sizes. False: full; wait for `drained` before writing more. */
  write(events: Uint8Array, sizes: readonly number[]): boolean;
  drained(): Promise<void>;
  end(last?: Uint8Array): void;
  /** Ends it so that the client sees it was cut. */
  abort(): void;
}

export interface WatchStream {
  readonly answer: WatchAnswer;
  readonly events: EventForm;
  readonly sink: EventSink;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Called with the size of every event that is sent. */
  readonly onEvent?: ((bytes: number) => void) | undefined;
}

/** So long before its timeout a watch gets a last bookmark, so that its client can resume from there. */
const finalBookmarkMs = 2000;

/** Writes a watch's events until its time is over, the client is gone, or it falls too far behind. */
export function streamWatch({ answer, events, sink, signal, clock, onEvent }: WatchStream): Promise<void> {
  return new Promise((resolve) => {
    if (answer.refusal) {
      sink.end(events.error(answer.refusal.status));
      resolve();
      return;
    }
    // A time that is over before it began.
    if (answer.timeoutMs < 0) {
      sink.end();
      resolve();
      return;
    }
    const watchSink: WatchSink = {
      deliver(deliveries) {
        const turn = encodeTurn(events, deliveries);
        if (onEvent) for (const size of turn.sizes) onEvent(size);
        return sink.write(turn.bytes, turn.sizes) ? undefined : sink.drained();
      },
      bookmark(revision, initial) {
        if (!answer.bookmarks) return;
        const bytes = events.bookmark(revision, initial);
        sink.write(bytes, [bytes.length]);
      },
      end(reason) {
        timer.cancel();
        signal.removeEventListener("abort", stop);
        // One that was cut must not look finished: its client would think it had seen all.
        if (reason === "slow") sink.abort();
        else sink.end();
        resolve();
      },
    };
    const stop = (): void => watcher.stop();
    const sendsFinalBookmark = answer.bookmarks && answer.timeoutMs > finalBookmarkMs;
    let timer = sendsFinalBookmark
      ? clock.setTimer(answer.timeoutMs - finalBookmarkMs, () => {
          watcher.sendBookmark();
          timer = clock.setTimer(finalBookmarkMs, stop);
        })
      : clock.setTimer(answer.timeoutMs, stop);
    const watcher = answer.open(watchSink);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

/** What one turn brings a watcher, and how long each event in it is. */
interface Turn {
  readonly bytes: Uint8Array;
  readonly sizes: readonly number[];
}

/** Watchers that want the same get the same array: what one form makes of it is made once. */
const turns = new WeakMap<readonly Delivery[], Map<string, Turn>>();

function encodeTurn(events: EventForm, deliveries: readonly Delivery[]): Turn {
  const encode = (): Turn => {
    const parts = deliveries.map((delivery) => events.event(delivery));
    return {
      bytes: parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts),
      sizes: parts.map((part) => part.length),
    };
  };
  if (deliveries.length === 1 || events.shared === undefined) return encode();
  let forms = turns.get(deliveries);
  if (!forms) turns.set(deliveries, (forms = new Map()));
  let turn = forms.get(events.shared);
  if (!turn) forms.set(events.shared, (turn = encode()));
  return turn;
}
