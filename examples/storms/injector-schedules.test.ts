// The sidecar injector under other orders of its requests, with failing writes and crashes: `npm run tool -- storms` tries a hundred.
import { systemClock } from "@coxswain/runtime/clock";
import { exploreSchedules, type Program, type TestCluster } from "@coxswain/testkit";
import { expect, it } from "vitest";
import { configureInjector, createInjectorProgram } from "../sidecar-injector/injector-program.js";
import { supervise } from "./blow.js";
import { hasSidecar, pod } from "./injector-storm.js";

async function injects(cluster: TestCluster): Promise<void> {
  const { client, clock } = cluster;
  let injector: Program | undefined;
  const program = createInjectorProgram((manager) => supervise(manager, () => injector?.crash()));
  injector = await cluster.run("injector", program.start);
  await clock.advanceUntil(() => program.port() !== 0, "10m");
  await configureInjector(cluster, program.port());
  await client.core.v1.serviceaccounts("default").create({ metadata: { name: "default" } }); // no controller runs that makes it
  const pods = client.core.v1.pods("default");
  // Refused as long as the injector cannot be reached, or its authority is not injected yet.
  await pods.create(pod("early")).catch(() => undefined);
  await clock.advance("2m");
  await pods.create(pod("later")).catch(() => undefined);
  await injector.crash();
  await clock.advance("5m");
  // The first call may still go to the connection that the killed program had.
  await pods.create(pod("last")).catch(() => pods.create(pod("last")));
  const { items } = await pods.list();
  expect(items.filter((each) => !hasSidecar(each))).toEqual([]);
  expect(items.map(({ metadata }) => metadata?.name)).toContain("last");
}

it("no pod passes without its sidecar, whichever step is late and whichever write fails", {
  timeout: 600_000,
}, async () => {
  // By the time of day: certificates are checked against it.
  const runs = Number(process.env["COXSWAIN_STORMS"] ?? 5);
  await exploreSchedules(injects, { seed: 1, runs, startMs: systemClock.now() });
});
