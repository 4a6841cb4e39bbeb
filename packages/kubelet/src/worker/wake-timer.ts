import type { Clock, Timer } from "@coxswain/runtime/clock";
import type { WorkedPod } from "./worked-pod.js";

/** One timer, for what is due first. */
export class WakeTimer {
  readonly #clock: Clock;
  readonly #worked: Pick<WorkedPod, "wake">;
  #due: { readonly at: number; readonly timer: Timer } | undefined;

  constructor(clock: Clock, worked: Pick<WorkedPod, "wake">) {
    this.#clock = clock;
    this.#worked = worked;
  }

  /** Wakes the worker at this time, in milliseconds of `clock.now()`, unless it is woken before. */
  wakeAt(at: number): void {
    const now = this.#clock.now();
    if (this.#due && this.#due.at <= at && this.#due.at > now) return;
    this.#due?.timer.cancel();
    const timer = this.#clock.setTimer(Math.max(0, at - now), () => {
      this.#due = undefined;
      this.#worked.wake();
    });
    this.#due = { at, timer };
  }

  cancel(): void {
    this.#due?.timer.cancel();
  }
}
