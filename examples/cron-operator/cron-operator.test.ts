import { createManager } from "@coxswain/operator";
import { exploreSchedules, startCluster, type TestCluster } from "@coxswain/testkit";
import { expect, it } from "vitest";
import { addReports, planRun } from "./cron-operator.js";
import { type Report, Reports, reportDefinition } from "./report.js";

const run = (cluster: TestCluster) =>
  cluster.run("reports", (client, world) => {
    const manager = createManager({ client, ...world });
    addReports(manager);
    void manager.start().catch(() => {}); // a killed program has nobody to report to
    return manager;
  });

/** Every moment has one report, and the newest two are kept. */
async function reportsEveryMinute(cluster: TestCluster): Promise<void> {
  const { client, clock } = cluster;
  await client.apiextensions.v1.customresourcedefinitions().create(reportDefinition);
  await clock.advance("1s");
  await run(cluster);
  const report = { metadata: { name: "a" }, spec: { schedule: "* * * * *", keep: 2 } };
  await client.dynamic<Report>(Reports, "default").create(report);
  await clock.advance("3m");
  const maps = (await client.core.v1.configmaps("default").list({ labelSelector: "example.com/report=a" })).items;
  expect(maps.map(({ data }) => data?.["time"]).sort()).toEqual(["2026-01-01T00:02:00Z", "2026-01-01T00:03:00Z"]);
}

it("a moment that passed unseen is due once", () => {
  const at = (minute: number): number => Date.UTC(2026, 0, 1, 0, minute);
  expect(planRun("* * * * *", at(0), at(7))).toEqual({ due: at(7), next: at(8) });
  expect(planRun("0 * * * *", at(0), at(7))).toEqual({ due: undefined, next: at(60) });
});

it("a wrong schedule is not tried again", () => {
  expect(() => planRun("often", 0, 1)).toThrow("terminal error: spec.schedule");
});

it("writes a report every minute and keeps two, whichever step is late and whichever write fails", async () => {
  await exploreSchedules(reportsEveryMinute, { seed: 1, runs: 15 });
}, 300_000);

it("catches up with one report after it was down for long", async () => {
  const cluster = await startCluster({ seed: 2, nodes: 0, controllers: [] });
  const { client, clock } = cluster;
  await client.apiextensions.v1.customresourcedefinitions().create(reportDefinition);
  await clock.advance("1s");
  const report = { metadata: { name: "a" }, spec: { schedule: "*/10 * * * *", keep: 9 } };
  await client.dynamic<Report>(Reports, "default").create(report);
  await clock.advance("35m");
  await run(cluster);
  await clock.advance("10m");
  const maps = (await client.core.v1.configmaps("default").list({ labelSelector: "example.com/report=a" })).items;
  expect(maps.map(({ data }) => data?.["time"])).toEqual(["2026-01-01T00:30:00Z", "2026-01-01T00:40:00Z"]);
  await cluster.stop();
});
