import { afterEach, describe, expect, it, vi } from "vitest";
import type { TestCluster } from "../cluster/test-cluster.js";
import { ScheduleFailure } from "../schedules/schedule-failure.js";
import { formatPlan } from "../schedules/schedule-plan.js";
import { exploreSchedules } from "./explore-schedules.js";
import { childMaker, registrar } from "./planted-bugs.test.support.js";

/** A parent is created and changed; it must have one child. */
const hasOneChild =
  (isStale: boolean) =>
  async (cluster: TestCluster): Promise<void> => {
    const maps = cluster.client.core.v1.configmaps("default");
    await cluster.run("maker", childMaker({ isStale }));
    await maps.create({ metadata: { name: "a", labels: { parent: "yes" } } });
    await cluster.clock.advance("1s");
    await maps.patch("a", { merge: { data: { changed: "yes" } } });
    await cluster.clock.advance("1m");
    const { items } = await maps.list({ labelSelector: "of=a" });
    expect(items).toHaveLength(1);
  };

/** Two writes belong together. */
const isRegisteredOnce = async (cluster: TestCluster): Promise<void> => {
  await cluster.run("registrar", registrar);
  await cluster.clock.advance("1m");
  const { items } = await cluster.client.core.v1.secrets("default").list();
  expect(items).toHaveLength(1);
};

const failureOf = async (exploring: Promise<unknown>): Promise<ScheduleFailure> => {
  const error = await exploring.then(
    () => new Error("no schedule failed"),
    (reason: unknown) => reason,
  );
  if (error instanceof ScheduleFailure) return error;
  throw error;
};

describe("exploreSchedules", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("finds a race that the plain run does not have, and repeats it by its schedule", async () => {
    const failure = await failureOf(exploreSchedules(hasOneChild(true), { seed: 1, runs: 200 }));
    expect(failure.plan).toHaveLength(1);
    expect(failure.message).toContain("hold <maker sees ADDED ConfigMap default/a");
    const variables = `COXSWAIN_SEED=1 COXSWAIN_SCHEDULE='${formatPlan(failure.plan)}'`;
    expect(failure.message).toContain(`repeat:   ${variables} npx vitest run packages/testkit/src/exploring/explore`);
    vi.stubEnv("COXSWAIN_SCHEDULE", formatPlan(failure.plan));
    const again = await failureOf(exploreSchedules(hasOneChild(true), { seed: 1 }));
    expect(again.message).toContain("to have a length of 1 but got 2");
  }, 300_000);

  it("a program that is killed while an event is held for it, by the clock, starts again", async () => {
    const held = "hold <maker sees ADDED ConfigMap default/a-child> #1 for 2s";
    vi.stubEnv(
      "COXSWAIN_SCHEDULE",
      `crash after at write 1; ${held}; hold <maker gets watch configmaps default> #1 for 1 steps`,
    );
    expect((await exploreSchedules(hasOneChild(false), { seed: 1 })).runs).toBe(1);
  }, 300_000);

  it("finds a crash between two writes", async () => {
    const options = { seed: 3, runs: 200, scheduleFaults: ["crash before", "crash after"] as const };
    const { plan } = await failureOf(exploreSchedules(isRegisteredOnce, options));
    // The same moment by two names; which of them comes first is drawn.
    expect(["crash after at write 1", "crash before at write 2"]).toContain(formatPlan(plan));
  }, 300_000);

  it("finds nothing in a program that is right", async () => {
    const { runs, steps } = await exploreSchedules(hasOneChild(false), { seed: 1, runs: 60 });
    expect(runs).toBe(60);
    expect(steps).toBeGreaterThan(4);
  }, 300_000);

  it("a test that fails without any change is not explored", async () => {
    const failure = await failureOf(exploreSchedules(() => Promise.reject(new Error("always")), { seed: 1 }));
    expect(failure.message).toContain("without any change of schedule");
  });
});
