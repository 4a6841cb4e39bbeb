import { recordWork } from "@coxswain/client/work";
import { type TestRuntime, testRuntime } from "@coxswain/runtime";
import { createActivity } from "@coxswain/runtime/activity";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { createSeededRandom } from "@coxswain/runtime/random";
import type { MemoryStore } from "@coxswain/storage/memory";
import { type Faults, injectFaults } from "../faults/inject-faults.js";
import { createSchedule, type Schedule } from "../schedules/schedule.js";
import type { SchedulePlan } from "../schedules/schedule-plan.js";
import type { StartClusterOptions } from "./start-options.js";
import type { ClusterSnapshot } from "./test-cluster.js";
import { watchQuiet } from "./watch-quiet.js";

/** Where a cluster begins. */
export interface Beginning {
  readonly seed: number;
  readonly startMs: number;
  /** @default an empty store */
  readonly initial?: ClusterSnapshot | undefined;
  /** Of the cluster that this one was forked from, which repeats both. @default `seed` */
  readonly rootSeed?: number;
  /** How work is ordered; undefined: as it comes, without a look at it. */
  readonly plan?: SchedulePlan | undefined;
}

/** What a test cluster lives in, whatever server runs in it at the moment: time, randomness, faults, and what happened so far. */
export interface TestWorld {
  readonly runtime: TestRuntime;
  /** There if a plan was given. */
  readonly schedule: Schedule | undefined;
  readonly faults: Faults & Pick<ReturnType<typeof injectFaults>, "filter">;
  readonly works: ReturnType<typeof recordWork>;
  /** The store that is written now. */
  store: MemoryStore | undefined;
}

export function createTestWorld(
  { log }: StartClusterOptions,
  { seed, startMs, plan }: Beginning,
  onCrash: (user: string) => void,
): TestWorld {
  const activity = createActivity();
  const isQuiet = watchQuiet((after) => world.store?.log(after) ?? []);
  const clock = createVirtualClock({ startMs, activity, isQuiet });
  const schedule = plan && createSchedule(plan, { activity, clock });
  if (schedule) activity.pick = (waiting) => schedule.pick(waiting);
  const works = recordWork({ clock, revision: () => world.store?.revision ?? 0 });
  activity.trace = works;
  const world: TestWorld = {
    runtime: testRuntime(seed, { clock, ...(log && { log }) }),
    schedule,
    faults: injectFaults({ clock, activity, random: createSeededRandom(seed + 1), onCrash }),
    works,
    store: undefined,
  };
  return world;
}
