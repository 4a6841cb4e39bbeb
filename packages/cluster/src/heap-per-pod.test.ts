import { expect, it } from "vitest";
import { startMeasuredCluster } from "./measured-cluster.test.support.js";

const [firstPods, morePods] = [200, 500];
/** Measured on Node 20: 42, and a tenth. Six of them are keys of event recorders, which are limited by number. */
const allowedKiB = 46;

it("one more simulated pod takes a limited part of the heap", { timeout: 240_000 }, async () => {
  const { client, clock, heapUsed, stop } = await startMeasuredCluster({ nodes: 10 });
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
    await clock.advance(80_000); // longer than watch caches keep events
  }

  await deploy("first", firstPods);
  const before = await heapUsed();
  await deploy("more", morePods);
  expect(((await heapUsed()) - before) / morePods / 1024).toBeLessThan(allowedKiB);
  await stop();
});
