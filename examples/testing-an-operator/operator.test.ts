// An operator tested in ten lines: real API semantics, real garbage collection, no cluster to install.
import { startCluster } from "@coxswain/testkit";
import { expect, it } from "vitest";
import { greeter } from "./greeter.js";

it("makes a greeting, and the garbage collector takes it away with its owner", async () => {
  const cluster = await startCluster({ nodes: 0 });
  const { configmaps, secrets } = cluster.client.core.v1;
  await cluster.run("greeter", greeter);
  await configmaps("default").create({ metadata: { name: "world", labels: { greet: "yes" } } });
  await cluster.settle(); // until nothing moves: no sleep, no polling
  expect((await secrets("default").get("world")).data?.["text"]).toBe(btoa("hello world"));
  await configmaps("default").delete("world");
  await cluster.clock.advance("1s");
  expect((await secrets("default").list()).items).toEqual([]);
  await cluster.stop();
});
