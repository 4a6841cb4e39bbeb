import type { Activity } from "@coxswain/runtime/activity";
import type { Clock } from "@coxswain/runtime/clock";
import { macrotask } from "@coxswain/runtime/event-loop";
import type { HoldLength, SchedulePlan } from "./schedule-plan.js";

/** The order of ready work: steps of programs happen as they come, but for those that a plan holds back. */
export interface Schedule {
  /** A step of a program is ready. Undefined: it happens now; else when the promise resolves. */
  step(label: string): Promise<void> | undefined;
  /** The program comes to its end: what is held of it goes on at once, and nothing more is held. False: it was started again. */
  setEnding(program: string, isEnding: boolean): void;
  /** A step of somebody else happens. */
  pass(): undefined;
  /** Which of so many ready items a work queue hands out, from 0. */
  pick(waiting: number): number;
  /** What could have been held or picked otherwise in this run, for plans of the next. */
  readonly seen: SeenSteps;
}

export interface SeenSteps {
  readonly steps: readonly { readonly step: string; readonly nth: number }[];
  /** How many items waited at each pick where there was a choice. */
  readonly picks: readonly { readonly nth: number; readonly waiting: number }[];
}

interface Held {
  readonly step: string;
  left: number;
  release(): void;
}

/** So many iterations of the event loop without a step mean that nothing else will happen. An event takes three from the store to an informer. */
const quietIterations = 8;

export function createSchedule(
  plan: SchedulePlan,
  { activity, clock }: { activity: Activity; clock: Clock },
): Schedule {
  const counts = new Map<string, number>();
  const steps: { step: string; nth: number }[] = [];
  const picks: { nth: number; waiting: number }[] = [];
  let held: Held[] = [];
  /** Holds by the clock. */
  const timed = new Set<{ readonly step: string; end(): void }>();
  const ending = new Set<string>();
  const isOf = (step: string, program: string): boolean => step.startsWith(`${program} `);
  let passed = 0;
  let picked = 0;
  let isPumping = false;

  function pass(): undefined {
    passed += 1;
    for (const each of held) each.left -= 1;
    for (const each of held.filter(({ left }) => left <= 0)) release(each);
  }

  function release(one: Held): void {
    held = held.filter((other) => other !== one);
    one.release();
  }

  /** Ends the longest hold once nothing else moves. */
  async function pump(): Promise<void> {
    isPumping = true;
    let [still, before] = [0, passed];
    while (held.length > 0) {
      await macrotask();
      still = passed === before ? still + 1 : 0;
      before = passed;
      if (still < quietIterations) continue;
      still = 0;
      const [first] = held;
      if (first) release(first);
    }
    isPumping = false;
  }

  /** Time may pass meanwhile, so nothing is under way. */
  function holdFor(ms: number, step: string): Promise<void> {
    return new Promise((resolve) => {
      const entry = { step, end };
      const timer = clock.setTimer(ms, end);
      timed.add(entry);
      function end(): void {
        timer.cancel();
        timed.delete(entry);
        resolve();
      }
    });
  }

  function hold(length: HoldLength, step: string): Promise<void> {
    if (typeof length === "object") return holdFor(length.seconds * 1000, step);
    activity.begin();
    return new Promise((resolve) => {
      held.push({
        step,
        left: length === "quiet" ? Number.POSITIVE_INFINITY : length,
        release() {
          activity.end();
          resolve();
        },
      });
      if (!isPumping) void pump();
    });
  }

  return {
    pass,
    step(step) {
      pass();
      const nth = (counts.get(step) ?? 0) + 1;
      counts.set(step, nth);
      steps.push({ step, nth });
      if ([...ending].some((program) => isOf(step, program))) return undefined;
      for (const change of plan)
        if (change.do === "hold" && change.step === step && change.nth === nth) return hold(change.for, step);
      return undefined;
    },
    setEnding(program, isEnding) {
      if (!isEnding) return void ending.delete(program);
      ending.add(program);
      for (const each of held.filter(({ step }) => isOf(step, program))) release(each);
      for (const each of timed) if (isOf(each.step, program)) each.end();
    },
    pick(waiting) {
      if (waiting < 2) return 0;
      picked += 1;
      picks.push({ nth: picked, waiting });
      for (const change of plan) if (change.do === "pick" && change.nth === picked) return change.item % waiting;
      return 0;
    },
    seen: { steps, picks },
  };
}
