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

const isOf = (step: string, program: string): boolean => step.startsWith(`${program} `);

export const createSchedule = (plan: SchedulePlan, parts: { activity: Activity; clock: Clock }): Schedule =>
  new PlannedSchedule(plan, parts);

class PlannedSchedule implements Schedule {
  readonly #plan: SchedulePlan;
  readonly #activity: Activity;
  readonly #clock: Clock;
  readonly #counts = new Map<string, number>();
  readonly seen: {
    readonly steps: { step: string; nth: number }[];
    readonly picks: { nth: number; waiting: number }[];
  } = { steps: [], picks: [] };
  #held: Held[] = [];
  /** Holds by the clock. */
  readonly #timed = new Set<{ readonly step: string; end(): void }>();
  readonly #ending = new Set<string>();
  #passed = 0;
  #picked = 0;
  #isPumping = false;

  constructor(plan: SchedulePlan, { activity, clock }: { activity: Activity; clock: Clock }) {
    this.#plan = plan;
    this.#activity = activity;
    this.#clock = clock;
  }

  step(step: string): Promise<void> | undefined {
    this.pass();
    const nth = (this.#counts.get(step) ?? 0) + 1;
    this.#counts.set(step, nth);
    this.seen.steps.push({ step, nth });
    if ([...this.#ending].some((program) => isOf(step, program))) return undefined;
    for (const change of this.#plan)
      if (change.do === "hold" && change.step === step && change.nth === nth) return this.#hold(change.for, step);
    return undefined;
  }

  setEnding(program: string, isEnding: boolean): void {
    if (!isEnding) return void this.#ending.delete(program);
    this.#ending.add(program);
    for (const each of this.#held.filter(({ step }) => isOf(step, program))) this.#release(each);
    for (const each of this.#timed) if (isOf(each.step, program)) each.end();
  }

  pick(waiting: number): number {
    if (waiting < 2) return 0;
    this.#picked += 1;
    this.seen.picks.push({ nth: this.#picked, waiting });
    for (const change of this.#plan)
      if (change.do === "pick" && change.nth === this.#picked) return change.item % waiting;
    return 0;
  }

  pass(): undefined {
    this.#passed += 1;
    for (const each of this.#held) each.left -= 1;
    for (const each of this.#held.filter(({ left }) => left <= 0)) this.#release(each);
  }

  #release(one: Held): void {
    this.#held = this.#held.filter((other) => other !== one);
    one.release();
  }

  /** Ends the longest hold once nothing else moves. */
  async #pump(): Promise<void> {
    this.#isPumping = true;
    let [still, before] = [0, this.#passed];
    while (this.#held.length > 0) {
      await macrotask();
      still = this.#passed === before ? still + 1 : 0;
      before = this.#passed;
      if (still < quietIterations) continue;
      still = 0;
      const [first] = this.#held;
      if (first) this.#release(first);
    }
    this.#isPumping = false;
  }

  /** Time may pass meanwhile, so nothing is under way. */
  #holdFor(ms: number, step: string): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        timer.cancel();
        this.#timed.delete(entry);
        resolve();
      };
      const entry = { step, end };
      const timer = this.#clock.setTimer(ms, end);
      this.#timed.add(entry);
    });
  }

  #hold(length: HoldLength, step: string): Promise<void> {
    if (typeof length === "object") return this.#holdFor(length.seconds * 1000, step);
    this.#activity.begin();
    return new Promise((resolve) => {
      this.#held.push({
        step,
        left: length === "quiet" ? Number.POSITIVE_INFINITY : length,
        release: () => {
          this.#activity.end();
          resolve();
        },
      });
      if (!this.#isPumping) void this.#pump();
    });
  }
}
