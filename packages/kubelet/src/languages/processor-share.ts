import type { Scheduler } from "@coxswain/runtime/scheduler";

/**
 * The share of the event loop that all simulated programs of a process have together. They never end by using it up: they wait, so
 * that a loop without end goes on for ever and nobody else notices.
 */
export interface ProcessorShare {
  /** Counts work that was done. */
  charge(steps: number): void;
  /** A promise while the share of this round is used up: the caller goes on when it resolves. Undefined: it goes on at once. */
  turn(): Promise<void> | undefined;
}

/**
 * Steps of all programs in one iteration of the event loop; a step is about two microseconds, and those who wait for sockets and
 * timers wait for no more than one iteration.
 */
const stepsPerRound = 400;
/** Programs that go on in one round; between them they have its steps. */
const programsPerRound = 16;
/**
 * Iterations of the event loop that belong to others, for each that programs have. Without other work they take no time. Rounds do not
 * wait by the scheduler's `yield`, which counts who waits as work under way: a virtual clock would stand still while a loop without
 * end goes on.
 */
const roundsOfOthers = 2;

/** @param nextRound resolves when others had their time; the only place where programs give up the event loop */
export function createProcessorShare(nextRound: () => Promise<void>): ProcessorShare {
  let spent = 0;
  let isRunning = false;
  const waiting: (() => void)[] = [];

  async function runRounds(): Promise<void> {
    isRunning = true;
    // Rounds end when nobody waits and what was used beyond the share of a round is paid.
    while (waiting.length > 0 || spent > 0) {
      await nextRound();
      spent = Math.max(0, spent - stepsPerRound);
      if (spent < stepsPerRound) for (const goOn of waiting.splice(0, programsPerRound)) goOn();
    }
    isRunning = false;
  }

  return {
    charge(steps) {
      spent += steps;
    },
    turn() {
      // Those who came first go on first, except in rounds that have something left.
      if (!isRunning && spent > 0) void runRounds();
      if (spent < stepsPerRound) return undefined;
      return new Promise((resolve) => void waiting.push(resolve));
    },
  };
}

/** A round is over when others had their iterations. */
export const roundsBetween =
  (scheduler: Pick<Scheduler, "nextIteration">): (() => Promise<void>) =>
  async () => {
    for (let round = 0; round <= roundsOfOthers; round++) await scheduler.nextIteration();
  };
