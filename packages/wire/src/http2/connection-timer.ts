import type { Clock } from "../clock.js";

/** For the client to say that it speaks HTTP/2. */
const greetingMs = 10_000;
/** A connection that carries nothing is closed. */
const idleMs = 90_000;
/** A client that is told to go has time to hear it. */
const farewellMs = 1000;

export interface ConnectionWatch {
  readonly hasGreeted: () => boolean;
  readonly isBusy: () => boolean;
  readonly onLate: () => void;
  readonly onIdle: () => void;
}

/** What a connection is given time for, one after the other: to greet, to rest, to leave. */
export class ConnectionTimer {
  readonly #clock: Clock;
  #timer: { cancel(): void } | undefined;
  #wasUsed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  watch(watch: ConnectionWatch): void {
    this.#set(greetingMs, () => (watch.hasGreeted() ? this.#watchIdle(watch) : watch.onLate()));
  }

  /** Something came. */
  noteUse(): void {
    this.#wasUsed = true;
  }

  bidFarewell(then: () => void): void {
    this.#set(farewellMs, then);
  }

  cancel(): void {
    this.#timer?.cancel();
  }

  #watchIdle(watch: ConnectionWatch): void {
    this.#set(idleMs, () => {
      if (!this.#wasUsed && !watch.isBusy()) return watch.onIdle();
      this.#wasUsed = false;
      this.#watchIdle(watch);
    });
  }

  #set(ms: number, fire: () => void): void {
    this.cancel();
    this.#timer = this.#clock.setTimer(ms, fire);
  }
}
