import type { Clock, Timer } from "@coxswain/runtime/clock";

/** One timer, for what is due first. */
export interface WakeTimer {
  /** Calls `wake` at this time, in milliseconds of `clock.now()`, unless it is called before. */
  wakeAt(at: number): void;
  cancel(): void;
}

export function createWakeTimer(clock: Clock, wake: () => void): WakeTimer {
  let due: { readonly at: number; readonly timer: Timer } | undefined;
  return {
    wakeAt(at) {
      if (due && due.at <= at && due.at > clock.now()) return;
      due?.timer.cancel();
      const timer = clock.setTimer(Math.max(0, at - clock.now()), () => {
        due = undefined;
        wake();
      });
      due = { at, timer };
    },
    cancel: () => due?.timer.cancel(),
  };
}
