import type { Activity } from "@coxswain/runtime/activity";
import { systemEventLoop } from "@coxswain/runtime/event-loop";
import type { WatchCache } from "./watch-cache.js";

/** Flushes caches once per iteration of the event loop: the events of several batches leave in one write per watcher. */
export class FlushSoon {
  /** Whose watchers have events to receive. An array: it is short, and a Set that is emptied again and again keeps garbage alive. */
  #changed: WatchCache[] = [];
  #isScheduled = false;
  readonly #activity: Pick<Activity, "begin" | "end">;

  /** @param activity counts events until the watchers have them */
  constructor(activity: Pick<Activity, "begin" | "end">) {
    this.#activity = activity;
  }

  add(cache: WatchCache): void {
    if (!this.#changed.includes(cache)) this.#changed.push(cache);
  }

  /** At the end of a batch. */
  schedule(): void {
    if (this.#isScheduled || this.#changed.length === 0) return;
    this.#isScheduled = true;
    this.#activity.begin();
    systemEventLoop.nextIteration(() => {
      this.#isScheduled = false;
      const flushed = this.#changed;
      this.#changed = [];
      for (const cache of flushed) cache.flush();
      this.#activity.end();
    });
  }
}
