import type { CauseCheck } from "@coxswain/tools/causes";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { stateOf } from "./cluster-state.test.support.js";
import type { Scenario } from "./scenario.test.support.js";

export interface Outcome {
  /** Every stored object, a line each. */
  readonly state: readonly string[];
  /** How many objects of each resource the controllers created on the way: one more than without kills is a duplicate. */
  readonly created: Record<string, number>;
  /** Writes that arrived since the first step. */
  readonly writes: number;
  /** How often the process was killed. */
  readonly kills: number;
}

/** A state that does not come to rest within so many rounds is a fault of the controllers. */
const maxRounds = 300;

/**
 * Runs a scenario; each life of the controllers ends after so many writes as the schedule has for it, the one after the last of the
 * schedule never. The check is given every write and the reconcile that made it.
 */
export async function runScenario(
  scenario: Scenario,
  schedule: readonly number[],
  causeCheck?: CauseCheck,
): Promise<Outcome> {
  const { name: _, steps, same, recreated: __, ...options } = scenario;
  const cluster = await startTestCluster({
    ...options,
    controllers: options.controllers.map((controller) => ({ ...controller, isOnByDefault: true })),
    ...(causeCheck && { causeCheck }),
  });
  try {
    await cluster.settle();
    const startup = cluster.writes();
    const lives = [...schedule];
    let kills = 0;
    const limitNext = (): void => cluster.limitWrites(lives.shift() ?? Number.POSITIVE_INFINITY);
    limitNext();
    for (const step of steps) {
      await step(cluster);
      for (let round = 0, idle = 0; idle < 2; round++) {
        if (round === maxRounds) throw new Error(`after ${maxRounds} rounds and ${kills} kills it still writes`);
        const before = cluster.writes();
        await pass(cluster, scenario);
        idle = cluster.writes() === before && !cluster.wasKilled() ? idle + 1 : 0;
        if (!cluster.wasKilled()) continue;
        kills++;
        await cluster.restart();
        limitNext();
      }
    }
    const state = await stateOf(cluster.client, same);
    return { state, created: cluster.created(), writes: cluster.writes() - startup, kills };
  } finally {
    await cluster.stop();
  }
}

async function pass(cluster: TestCluster, { passMs = 2_000, others }: Scenario): Promise<void> {
  await cluster.settle();
  await cluster.advance(passMs);
  await others?.(cluster);
  await cluster.settle();
}
