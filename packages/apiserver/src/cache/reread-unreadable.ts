import type { Clock, Timer } from "@coxswain/runtime/clock";
import type { KeyValueStore } from "@coxswain/storage";
import type { WatchCache } from "./watch-cache.js";

/** As upstream's reflector waits before it lists again (`reflector.go`, `NewReflectorWithOptions`), without its jitter. */
const firstDelayMs = 800;
const maxDelayMs = 30_000;
/** So many values of a resource are read in one round: a lost key may concern all of them, and reading each is a request to the store. */
const mostAtOnce = 100;

/** Reads values again that could not be read: a key may be configured meanwhile, or a key management plugin be back. */
export class Rereading {
  readonly #store: Pick<KeyValueStore, "get">;
  readonly #caches: () => Iterable<WatchCache>;
  readonly #clock: Pick<Clock, "setTimer">;
  #timer: Timer | undefined;
  #delayMs = firstDelayMs;
  #isStopped = false;

  constructor(options: {
    readonly store: Pick<KeyValueStore, "get">;
    readonly caches: () => Iterable<WatchCache>;
    readonly clock: Pick<Clock, "setTimer">;
  }) {
    this.#store = options.store;
    this.#caches = options.caches;
    this.#clock = options.clock;
  }

  /** Something cannot be read; nothing is asked as long as everything can. */
  begin(): void {
    if (this.#isStopped) return;
    this.#timer ??= this.#clock.setTimer(this.#delayMs, () => void this.#round(), "upkeep");
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  async #round(): Promise<void> {
    let isLeft = false;
    for (const cache of this.#caches()) {
      // A key that came back makes the values behind the first ones readable as well: they need not wait for the next round.
      while ((await this.#rereadSome(cache)) > 0);
      isLeft ||= cache.unreadable.size > 0;
    }
    this.#timer = undefined;
    this.#delayMs = isLeft ? Math.min(this.#delayMs * 2, maxDelayMs) : firstDelayMs;
    if (isLeft) this.begin();
  }

  /** @returns how many became readable */
  async #rereadSome(cache: WatchCache): Promise<number> {
    let readable = 0;
    for (const { key } of [...cache.unreadable.all()].slice(0, mostAtOnce)) {
      if (this.#isStopped) return 0;
      await this.#reread(cache, key);
      if (cache.unreadable.has(key)) cache.unreadable.moveLast(key);
      else readable += 1;
    }
    return readable;
  }

  async #reread(cache: WatchCache, key: string): Promise<void> {
    try {
      const record = await this.#store.get(key);
      if (record) cache.reread(record);
    } catch {
      // It still cannot be read, or the store does not answer now. Both were logged where they were found; the next round asks again.
    }
  }
}
