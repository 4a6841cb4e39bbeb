import { performSteps as performStepsOf, type Step, type Undo } from "@coxswain/machines";
import { systemClock } from "@coxswain/runtime/clock";

/** Carries out steps in their order; `beforehand` has written down how to undo one before it is done. */
export const performSteps = (steps: readonly Step[], beforehand?: (undo: Undo) => Promise<void>): Promise<void> =>
  performStepsOf(steps, { clock: systemClock, ...(beforehand && { beforehand }) });
