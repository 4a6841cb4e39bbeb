import { expect, it } from "vitest";
import { startMeasuredCluster } from "./measured-cluster.test.support.js";

const pods = 6;
/** So large that a cluster that keeps pods after their deletion is seen to do so. */
const ballast = "x".repeat(250_000);
/** Until all code is compiled: from the third round to the sixth that was as much as is allowed here, and nothing afterwards. */
const [warmingRounds, rounds] = [6, 4];

/** A slice of `npm run tool -- churn --up`, which measures a process with its data on disk. */
it("pods that are gone take no memory", { timeout: 600_000 }, async () => {
  const { client, clock, heapUsed, stop } = await startMeasuredCluster({ nodes: 2 });
  const { namespaces, services } = client.core.v1;
  const { deployments } = client.apps.v1;
  const labels = { app: "web" };

  async function round(): Promise<void> {
    await namespaces().create({ metadata: { name: "churn" } });
    await services("churn").create({ metadata: { name: "web" }, spec: { selector: labels, ports: [{ port: 80 }] } });
    await deployments("churn").create({
      metadata: { name: "web" },
      spec: {
        replicas: pods,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels, annotations: { ballast } },
          spec: { terminationGracePeriodSeconds: 1, containers: [{ name: "web", image: "nginx" }] },
        },
      },
    });
    await clock.advance(5_000);
    expect((await deployments("churn").get("web")).status?.readyReplicas).toBe(pods);
    await namespaces().delete("churn");
    await clock.advance(80_000); // longer than watch caches keep events
    expect((await namespaces().list()).items.map(({ metadata }) => metadata?.name)).not.toContain("churn");
  }

  for (let number = 0; number < warmingRounds; number++) await round();
  const before = await heapUsed();
  for (let number = 0; number < rounds; number++) await round();
  const kept = ((await heapUsed()) - before) / ballast.length;
  expect(kept).toBeLessThan((rounds * pods) / 2);
  await stop();
});
