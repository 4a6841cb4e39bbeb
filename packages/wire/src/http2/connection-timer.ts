import type { Clock } from "@coxswain/runtime/clock";

/** Time-out of the client's preface and first SETTINGS frame, as Go's server has it: a connection that sends nothing is closed (slow loris). */
const prefaceTimeoutMs = 10_000;
/** Idle timeout: a connection without streams and without traffic is closed; kube-apiserver's value. */
const idleTimeoutMs = 90_000;
/** Graceful shutdown: time after GOAWAY for the client to close the connection. */
const closeTimeoutMs = 1000;

export interface ConnectionState {
  readonly hasReceivedSettings: () => boolean;
  /** Streams are open. */
  readonly isBusy: () => boolean;
  readonly onPrefaceTimeout: () => void;
  readonly onIdle: () => void;
}

/** The time-outs of a connection. One applies at a time: for the preface, then for idleness, then for closing. */
export class ConnectionTimer {
  readonly #clock: Clock;
  #timer: { cancel(): void } | undefined;
  #wasActive = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  start(state: ConnectionState): void {
    this.#set(prefaceTimeoutMs, () =>
      state.hasReceivedSettings() ? this.#watchIdle(state) : state.onPrefaceTimeout(),
    );
  }

  /** Bytes were received. */
  noteActivity(): void {
    this.#wasActive = true;
  }

  closeAfterGrace(close: () => void): void {
    this.#set(closeTimeoutMs, close);
  }

  cancel(): void {
    this.#timer?.cancel();
  }

  #watchIdle(state: ConnectionState): void {
    this.#set(idleTimeoutMs, () => {
      if (!this.#wasActive && !state.isBusy()) return state.onIdle();
      this.#wasActive = false;
      this.#watchIdle(state);
    });
  }

  #set(ms: number, fire: () => void): void {
    this.cancel();
    this.#timer = this.#clock.setTimer(ms, fire);
  }
}
