import { createMetrics } from "@coxswain/component/metrics";
import { expect, it } from "vitest";
import { node, pod, startTestCluster } from "./test-cluster.test.support.js";

it("counts what each extension point took, by its result", async () => {
  const metrics = createMetrics();
  const cluster = await startTestCluster({ metrics });
  const pods = cluster.client.core.v1.pods("default");
  await cluster.addNode(node("a"));
  await cluster.addNode(node("b"));
  await pods.create(pod("fits", "1"));
  await pods.create(pod("big", "9"));
  await cluster.clock.settle();
  const counts = [...metrics.text().matchAll(/extension_point_duration_seconds_count\{(.*)\} (\d+)/g)]
    .map(([, labels = "", count]) => {
      const label = (name: string): string | undefined => new RegExp(`${name}="(\\w+)"`).exec(labels)?.[1];
      return `${label("extension_point")} ${label("status")} ${count}`;
    })
    .sort();
  expect(counts).toEqual([
    "Bind Success 1",
    "Filter Success 2",
    "Permit Success 1",
    "PostBind Success 1",
    "PostFilter Unschedulable 1",
    "PreFilter Success 2",
    "Reserve Success 1",
    "Score Success 1",
  ]);
  await cluster.stop();
});
