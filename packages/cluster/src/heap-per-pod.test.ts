import { expect, it } from "vitest";
import { startMeasuredCluster } from "./measured-cluster.test.support.js";

/** The first ones have all code compiled that the others run. */
const [firstPods, morePods] = [400, 600];
/** Longer than watch caches keep events: 75 s, and they are looked at once a minute. */
const forgottenMs = 140_000;
/** Measured on Node 20: 24, and a tenth. */
const allowedKiB = 26;

it("one more simulated pod takes a limited part of the heap", { timeout: 600_000 }, async () => {
  const { client, clock, heapUsed, stop } = await startMeasuredCluster({ nodes: 12 });
  const deployments = client.apps.v1.deployments("default");

  async function deploy(name: string, replicas: number): Promise<void> {
    const labels = { app: name };
    await deployments.create({
      metadata: { name },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } },
      },
    });
    await clock.advance(30_000);
    expect((await deployments.get(name)).status?.readyReplicas).toBe(replicas);
    await clock.advance(forgottenMs);
  }

  await deploy("first", firstPods);
  const before = await heapUsed();
  await deploy("more", morePods);
  expect(((await heapUsed()) - before) / morePods / 1024).toBeLessThan(allowedKiB);
  await stop();
});
