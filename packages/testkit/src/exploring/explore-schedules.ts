import { createSeededRandom } from "@coxswain/runtime/random";
import { programPrefix } from "../cluster/cluster-clients.js";
import { openCluster } from "../cluster/open-cluster.js";
import { defaultStart, newSeed, type StartClusterOptions } from "../cluster/start-options.js";
import type { ClusterSnapshot, TestCluster } from "../cluster/test-cluster.js";
import { failureLines } from "../report/report-failure.js";
import { drawPlans } from "../schedules/draw-plans.js";
import type { SeenSteps } from "../schedules/schedule.js";
import { ScheduleFailure, type ScheduleFailureFacts, scheduleVariables } from "../schedules/schedule-failure.js";
import { parsePlan, type ScheduledFault, type SchedulePlan, scheduledFaults } from "../schedules/schedule-plan.js";
import { addScheduledFaults } from "../schedules/scheduled-faults.js";
import { shrinkPlan } from "../schedules/shrink-plan.js";
import type { Timeline } from "../timeline/timeline.js";

/** The cluster of each run. Controllers, scheduler and nodes are off unless asked for: a run shall take milliseconds. */
export interface ExploreOptions extends StartClusterOptions {
  /** How many schedules. @default 1000 */
  readonly runs?: number;
  /** Faults that may hit writes of programs. @default all */
  readonly scheduleFaults?: readonly ScheduledFault[];
  /** In one schedule. @default 4 */
  readonly mostChanges?: number;
}

export interface Exploration {
  /** How many schedules were run. */
  readonly runs: number;
  /** How many steps of programs there were to hold in the plain run. */
  readonly steps: number;
}

interface Outcome {
  readonly seen: SeenSteps;
  readonly writes: number;
  /** Undefined: the test passed. */
  readonly failure: { readonly error: unknown; readonly timeline: Timeline } | undefined;
}

/**
 * Runs a test of programs (`cluster.run`) again and again, each time on a cluster of its own: first as it is, then with other
 * orders of requests, answers, events and work items, and with faults. The first failure is shrunk to few changes and thrown.
 *
 * Guarantees: a schedule and a seed make one run. The thrown error has both, and the command that repeats it.
 * Caveats: time passes as the test advances it; a held step is held at most until nothing else moves.
 */
export async function exploreSchedules(
  test: (cluster: TestCluster) => Promise<void>,
  options: ExploreOptions = {},
): Promise<Exploration> {
  const { runs = 1000, seed = newSeed(), mostChanges, scheduleFaults = scheduledFaults, ...rest } = options;
  const lean = { nodes: 0, controllers: [], scheduler: false as const, ...rest };
  const base = await openCluster(lean, { seed, startMs: options.startMs ?? defaultStart });
  const beginning = await base.cluster.snapshot();
  await base.cluster.stop();
  const run = (plan: SchedulePlan): Promise<Outcome> => runOnce(test, lean, { seed, plan, beginning });

  const failed = (
    plan: SchedulePlan,
    { error, timeline }: NonNullable<Outcome["failure"]>,
    found?: ScheduleFailureFacts["found"],
  ): ScheduleFailure => {
    const lines = failureLines({ variables: scheduleVariables(seed, plan), timeline: () => timeline });
    return new ScheduleFailure({ seed, plan, error, lines, ...(found && { found }) });
  };

  const given = process.env["COXSWAIN_SCHEDULE"];
  if (given !== undefined) {
    const plan = parsePlan(given);
    const { failure, seen } = await run(plan);
    if (failure) throw failed(plan, failure);
    return { runs: 1, steps: seen.steps.length };
  }

  const plain = await run([]);
  if (plain.failure) throw failed([], plain.failure);
  const plans = drawPlans({
    seen: plain.seen,
    writes: plain.writes,
    faults: scheduleFaults,
    ...(mostChanges !== undefined && { mostChanges }),
    random: createSeededRandom(`schedules ${seed}`),
  });
  for (let done = 1; done < runs; done++) {
    const { value: plan } = plans.next();
    const { failure } = await run(plan);
    if (!failure) continue;
    const shrunk = await shrinkPlan(plan, { fails: async (smaller) => (await run(smaller)).failure !== undefined });
    const { failure: last = failure } = await run(shrunk);
    throw failed(shrunk, last, { run: done + 1, runs, changes: plan.length });
  }
  return { runs, steps: plain.seen.steps.length };
}

async function runOnce(
  test: (cluster: TestCluster) => Promise<void>,
  options: StartClusterOptions,
  { seed, plan, beginning }: { seed: number; plan: SchedulePlan; beginning: ClusterSnapshot },
): Promise<Outcome> {
  const { cluster, schedule } = await openCluster(options, {
    seed,
    startMs: beginning.time,
    initial: beginning,
    plan,
  });
  addScheduledFaults(cluster.faults, plan, new RegExp(`^${programPrefix}`));
  let failure: Outcome["failure"];
  try {
    await test(cluster);
  } catch (error) {
    failure = { error, timeline: cluster.timeline() };
  }
  const writes = cluster.log().filter(({ note }) => note?.user?.startsWith(programPrefix)).length;
  await cluster.stop();
  return { seen: schedule?.seen ?? { steps: [], picks: [] }, writes, failure };
}
