import { describe, it } from "vitest";
import type { StoreUnderTest } from "../store-under-test.js";
import { randomSteps, type Step } from "./operations.js";
import { runSteps } from "./run-steps.js";
import { shrink } from "./shrink.js";

/** Set STORE_SEED to run one seed again. */
const seedVariable = "STORE_SEED";

/** Random, interleaved operations against the model. A failure prints its seed and the shortest list of steps that fails too. */
export function describeRandomRuns(under: StoreUnderTest): void {
  const { randomRuns = 8, randomSteps: count = 400, timeoutMs = 30_000 } = under;
  describe("a plain model agrees with it", () => {
    const asked = process.env[seedVariable];
    // A new set of seeds every day, and the same for everybody on that day.
    const first = Math.floor(Date.now() / 86_400_000) * 1000;
    const seeds = asked === undefined ? Array.from({ length: randomRuns }, (_, i) => first + i) : [Number(asked)];
    for (const [i, seed] of seeds.entries()) {
      it(`through ${count} random steps (run ${i + 1})`, { timeout: timeoutMs * 4 }, async () => {
        const steps = randomSteps(seed, count);
        const why = await failure(under, steps);
        if (why === undefined) return;
        const shortest = await shrink(steps, (candidate) => failure(under, candidate), 300);
        const lines = shortest.map((step) => JSON.stringify(step)).join("\n");
        throw new Error(
          `seed ${seed} fails (run it again with ${seedVariable}=${seed}): ${why}\nShortest steps that fail (${(await failure(under, shortest)) ?? "not every time"}):\n${lines}`,
        );
      });
    }
  });
}

async function failure({ open }: StoreUnderTest, steps: readonly Step[]): Promise<string | undefined> {
  const opened = await open();
  try {
    await runSteps(opened, steps);
    return undefined;
  } catch (err) {
    return err instanceof Error ? err.message : String(err);
  } finally {
    await opened.store.close();
    await opened.dispose?.();
  }
}
