import type { Runtime } from "@coxswain/runtime";
import { coalesce } from "./coalesce.js";
import type { EventHandler, Notification } from "./event-handler.js";
import { createLatch, type Latch } from "./latch.js";

/** One handler with its backlog. */
export interface Listener<T> {
  push(notification: Notification<T>): void;
  /** Open once the handler has seen the whole first list. */
  readonly synced: Latch;
  /** How many notifications wait. */
  readonly pending: number;
  /** Drops the backlog and waits for the call under way. */
  stop(): Promise<void>;
}

export interface ListenerOptions<T> {
  readonly handler: EventHandler<T>;
  readonly keyOf: (object: T) => string;
  /** With more notifications than this waiting, those of one object are merged. */
  readonly coalesceAbove: number;
  /** How many objects the cache holds. A backlog of less than two for each has little to merge: that of the first list has nothing. */
  readonly known: () => number;
  readonly onError: (error: unknown) => void;
  readonly runtime: Runtime;
}

/** What a call of a handler costs at most where it queues a key, and what follows from it. */
const microsPerCall = 40;

export function createListener<T>(options: ListenerOptions<T>): Listener<T> {
  const { handler, keyOf, coalesceAbove, known, onError } = options;
  const { activity, scheduler } = options.runtime;
  let pending: Notification<T>[] = [];
  let head = 0;
  let limit = coalesceAbove;
  let running: Promise<void> | undefined;
  let stopped = false;
  const synced = createLatch();

  function deliver(notification: Notification<T>): void | Promise<void> {
    switch (notification.type) {
      case "add":
        return handler.onAdd?.(notification.object, notification.isInInitialList);
      case "update":
        return handler.onUpdate?.(notification.old, notification.object);
      case "delete":
        return handler.onDelete?.(notification.object, { finalStateUnknown: notification.finalStateUnknown });
      case "synced":
        return synced.open();
    }
  }

  /** Delivers one by one until nothing waits, in slices that leave the event loop to others. */
  async function run(): Promise<void> {
    activity.begin();
    // The informer goes on first: a batch of changes is one backlog.
    await Promise.resolve();
    while (head < pending.length) {
      if (stopped) break;
      const next = pending[head] as Notification<T>;
      head++;
      try {
        if (activity.trace && "object" in next) activity.trace.handling = next.object;
        const busy = deliver(next);
        if (activity.trace) activity.trace.handling = undefined;
        if (busy !== undefined) await busy;
      } catch (error) {
        onError(error);
      }
      const pause = scheduler.yield(microsPerCall);
      if (pause) await pause;
    }
    pending = [];
    head = 0;
    limit = coalesceAbove;
    running = undefined;
    activity.end();
  }

  return {
    synced,
    push(notification) {
      if (stopped) return;
      pending.push(notification);
      if (pending.length - head > limit && pending.length - head > 2 * known()) {
        pending = coalesce(pending.slice(head), keyOf);
        head = 0;
        // Twice what is left: merging costs a constant time per notification, however far behind the handler is.
        limit = Math.max(coalesceAbove, 2 * pending.length);
      }
      running ??= run();
    },
    get pending() {
      return pending.length - head;
    },
    async stop() {
      stopped = true;
      synced.abandon(new Error("the handler was removed before it had seen the first list"));
      await running;
    },
  };
}
