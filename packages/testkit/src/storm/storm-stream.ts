import type { WatchEvent, WatchStream } from "@coxswain/client/watch";

/** How a watch goes wrong. */
export interface StreamEnd {
  /** Nothing comes any more, not even the end. */
  readonly silent?: boolean;
  /** A last event, then the end. */
  readonly last?: WatchEvent;
  /** What reading it rejects with. */
  readonly error?: Error;
}

/** The events of a watch, until something goes wrong with it. It is never endless: its reader waits no longer than it asked for. */
export class StormStream implements WatchStream {
  readonly #inner: WatchStream;
  readonly #onStop: () => void;
  #end: StreamEnd | undefined;
  #stopped = false;
  /** Ends a silent watch once its reader gives up. */
  #release = (): void => {};

  constructor(inner: WatchStream, onStop: () => void) {
    this.#inner = inner;
    this.#onStop = onStop;
  }

  break(end: StreamEnd): void {
    this.#end ??= end;
    this.#inner.stop();
  }

  stop(): void {
    this.#stopped = true;
    this.#onStop();
    this.#inner.stop();
    this.#release();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<readonly WatchEvent[]> {
    for await (const batch of this.#inner) {
      if (this.#end !== undefined || this.#stopped) break;
      yield batch;
    }
    if (this.#stopped) return;
    if (this.#end?.silent) await new Promise<void>((resolve) => (this.#release = resolve));
    if (this.#end?.last !== undefined) yield [this.#end.last];
    if (this.#end?.error !== undefined) throw this.#end.error;
  }
}
