// A whole cluster in the test's process: controllers, scheduler and simulated nodes, on a clock that the test moves.
import { startCluster, type TestCluster } from "@coxswain/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startCluster({ nodes: 2 });
});
afterEach(() => cluster.stop());

it("a Deployment survives the death of a node", async () => {
  const { client, clock, nodes } = cluster;
  const labels = { app: "web" };
  await client.apps.v1.deployments("default").create({
    metadata: { name: "web" },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } },
    },
  });
  await clock.advance("5s");
  await nodes.kill("node-0");
  await clock.advance("10m"); // the node is found silent, and its pods have five minutes to come back
  const { status } = await client.apps.v1.deployments("default").get("web");
  expect(status?.readyReplicas).toBe(2);
});
