import { createTokenBucket } from "@coxswain/runtime/backoff";
import type { Clock, Timer } from "@coxswain/runtime/clock";
import type { AuditBackend, OnLost } from "./audit-backend.js";
import type { AuditEvent } from "./audit-event.js";

export interface BatchOptions {
  /** So many events wait at most; further ones are lost. */
  readonly bufferSize: number;
  readonly maxBatchSize: number;
  /** A batch goes out when it is full, or when its first event has waited so long. */
  readonly maxWaitMs: number;
  readonly throttle?: { readonly perSecond: number; readonly burst: number } | undefined;
}

/** Takes events at once and hands them on in batches: a slow backend never holds up a request, and loses events when its buffer is full. */
export function batching(backend: AuditBackend, options: BatchOptions, clock: Clock, onLost: OnLost): AuditBackend {
  const { bufferSize, maxBatchSize, maxWaitMs } = options;
  const throttle = options.throttle && createTokenBucket({ ...options.throttle, clock });
  const sending = new Set<Promise<unknown>>();
  let waiting: AuditEvent[] = [];
  let timer: Timer | undefined;
  let flushing: Promise<void> | undefined;
  let stopped = false;

  /** Batches go out in order; a throttled one waits while further events gather behind it. */
  async function flush(): Promise<void> {
    timer?.cancel();
    timer = undefined;
    while (waiting.length > 0) {
      if (!stopped) await throttle?.take();
      const batch = waiting.slice(0, maxBatchSize);
      waiting = waiting.slice(maxBatchSize);
      const sent = Promise.resolve(backend.process(batch)).finally(() => sending.delete(sent));
      sending.add(sent);
      if (!stopped && waiting.length < maxBatchSize) break;
    }
    flushing = undefined;
    schedule();
  }

  function schedule(): void {
    if (flushing || waiting.length === 0) return;
    if (waiting.length >= maxBatchSize) flushing = flush();
    else timer ??= clock.setTimer(maxWaitMs, () => (flushing ??= flush()));
  }

  return {
    process(events) {
      const room = stopped ? 0 : bufferSize - waiting.length;
      if (events.length > room)
        onLost(
          "buffered",
          new Error(stopped ? "audit backend shut down" : "audit buffer queue blocked"),
          events.slice(Math.max(room, 0)),
        );
      // An event changes at its later stages: what is kept is how it is now.
      for (const event of events.slice(0, Math.max(room, 0))) waiting.push({ ...event });
      schedule();
      return true;
    },
    async stop() {
      stopped = true;
      await flushing;
      await flush();
      await Promise.all(sending);
      await backend.stop();
    },
  };
}
