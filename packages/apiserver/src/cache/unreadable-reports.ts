import type { AnyKind } from "@coxswain/kinds";
import type { Clock } from "@coxswain/runtime/clock";
import type { KeyValueStore } from "@coxswain/storage";
import { Rereading } from "./reread-unreadable.js";
import type { UnreadableObject } from "./unreadable-objects.js";
import type { WatchCache, WatchCacheOptions } from "./watch-cache.js";

export interface UnreadableReportsOptions {
  readonly store: Pick<KeyValueStore, "get">;
  readonly caches: () => Iterable<WatchCache>;
  readonly ioClock: Pick<Clock, "setTimer">;
  readonly onUnreadable?: ((kind: AnyKind, object: UnreadableObject) => void) | undefined;
  readonly onReadable?: ((kind: AnyKind) => void) | undefined;
}

/** Reports what the caches of a feed cannot read, once the feed is at the present, and has it read again. */
export class UnreadableReports {
  readonly #options: UnreadableReportsOptions;
  readonly #rereading: Rereading;
  /** What could not be read in the past, and was written anew since, is of no interest. */
  #isStarted = false;

  constructor(options: UnreadableReportsOptions) {
    this.#options = options;
    this.#rereading = new Rereading({ ...options, clock: options.ioClock });
  }

  /** What a cache of the kind is to call. */
  of(kind: AnyKind): Pick<WatchCacheOptions, "onUnreadable" | "onReadable"> {
    const { onUnreadable, onReadable } = this.#options;
    return {
      onUnreadable: (object) => {
        if (!this.#isStarted) return;
        this.#rereading.begin();
        onUnreadable?.(kind, object);
      },
      onReadable: () => void (this.#isStarted && onReadable?.(kind)),
    };
  }

  /** The caches hold the present. */
  start(): void {
    this.#isStarted = true;
    for (const { kind, unreadable } of this.#options.caches()) {
      for (const object of unreadable.all()) this.#options.onUnreadable?.(kind, object);
      if (unreadable.size > 0) this.#rereading.begin();
    }
  }

  stop(): void {
    this.#rereading.stop();
  }
}
