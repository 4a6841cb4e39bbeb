import { type Clock, systemClock } from "../clock/index.js";
import { macrotask } from "./macrotask.js";

/** One stretch of synchronous work. Everything in the process shares the event loop, so it must end soon. */
export interface Turn {
  /** Whether the work has lasted long enough: then `await next()`. Cheap enough to ask in every round of a loop. */
  isOver(): boolean;
  /** Lets others run and begins a new turn. */
  next(): Promise<void>;
}

export interface TurnOptions {
  /** How long a turn lasts, in milliseconds. @default 5 */
  budgetMs?: number;
  /** Always a real clock: it measures this process. @default the system clock */
  ioClock?: Pick<Clock, "monotonic">;
  /** How to let others run. @default a macrotask */
  yieldTurn?: () => Promise<void>;
}

/** `const turn = startTurn(); for (…) { …; if (turn.isOver()) await turn.next(); }` */
export function startTurn({ budgetMs = 5, ioClock = systemClock, yieldTurn = macrotask }: TurnOptions = {}): Turn {
  let end = ioClock.monotonic() + budgetMs;
  return {
    isOver: () => ioClock.monotonic() >= end,
    async next() {
      await yieldTurn();
      end = ioClock.monotonic() + budgetMs;
    },
  };
}
