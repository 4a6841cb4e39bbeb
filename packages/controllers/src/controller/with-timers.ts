import { type TimerKind, withTimerKind } from "@coxswain/runtime/clock";
import type { ControllerContext } from "./controller.js";

/** The same context, with timers of that kind. */
export const withTimers = ({ runtime, ...context }: ControllerContext, kind: TimerKind): ControllerContext => ({
  ...context,
  runtime: { ...runtime, clock: withTimerKind(runtime.clock, kind) },
});
