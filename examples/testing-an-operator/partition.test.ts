// A partition: the operator is cut off while its objects change, and has to catch up when the network is back.
import { withCluster } from "@coxswain/testkit";
import { expect, it } from "vitest";
import { greeter } from "./greeter.js";

it(
  "catches up after a partition",
  withCluster(
    async (cluster) => {
      const { configmaps, secrets } = cluster.client.core.v1;
      await cluster.run("greeter", greeter);
      const heal = cluster.faults.add({ fault: "partition", user: "program:greeter" });
      await configmaps("default").create({ metadata: { name: "late", labels: { greet: "yes" } } });
      await cluster.clock.advance("10s");
      expect((await secrets("default").list()).items).toEqual([]);
      heal();
      await cluster.clock.advance("2m"); // its client waits longer after each failed attempt
      expect((await secrets("default").list()).items.map(({ metadata }) => metadata?.name)).toEqual(["late"]);
    },
    { nodes: 0 },
  ),
);
