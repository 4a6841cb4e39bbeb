// A crash between two writes finds a planted bug: the program makes a credential, then notes that it did.
import { exploreSchedules, type StartProgram, type TestCluster, withCluster } from "@coxswain/testkit";
import { expect, it } from "vitest";

const register =
  (credential: { name: string } | { generateName: string }): StartProgram =>
  (client) => {
    const maps = client.core.v1.configmaps("default");
    const work = async (): Promise<void> => {
      const isDone = (await maps.list()).items.some(({ metadata }) => metadata?.name === "registered");
      if (isDone) return;
      await client.core.v1
        .secrets("default")
        .create({ metadata: credential })
        .catch(() => {}); // there already
      await maps.create({ metadata: { name: "registered" } });
    };
    const running = work().catch(() => {}); // killed
    return { stop: () => running };
  };
const credentials = async ({ client }: TestCluster): Promise<number> =>
  (await client.core.v1.secrets("default").list()).items.length;

it(
  "with a generated name it leaves a second credential behind",
  withCluster(
    async (cluster) => {
      cluster.faults.add({ fault: "crashBetweenWrites", user: "program:registrar" });
      const program = await cluster.run("registrar", register({ generateName: "credential-" }));
      await cluster.settle();
      expect(program.starts).toBe(2);
      expect(await credentials(cluster)).toBe(2); // the bug
    },
    { nodes: 0 },
  ),
);

it("with a fixed name no crash, wherever it happens, makes a second one", async () => {
  const { runs } = await exploreSchedules(
    async (cluster) => {
      await cluster.run("registrar", register({ name: "credential" }));
      await cluster.settle();
      expect(await credentials(cluster)).toBe(1);
    },
    { runs: 10, scheduleFaults: ["crash before", "crash after"] },
  );
  expect(runs).toBe(10);
}, 120_000);
