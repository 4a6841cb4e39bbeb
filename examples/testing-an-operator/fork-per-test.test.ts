// One cluster is prepared once; each test works on a fork of it, and none sees what another did.
import { startCluster, type TestCluster } from "@coxswain/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";

let prepared: TestCluster;
let cluster: TestCluster;
beforeAll(async () => {
  prepared = await startCluster({ nodes: 0 });
  await prepared.client.core.v1.namespaces().create({ metadata: { name: "team" } });
  await prepared.settle();
});
afterAll(() => prepared.stop());
beforeEach(async () => {
  cluster = await prepared.fork();
});
afterEach(() => cluster.stop());

const names = async (): Promise<(string | undefined)[]> =>
  (await cluster.client.core.v1.configmaps("team").list()).items.map(({ metadata }) => metadata?.name);

for (const name of ["a", "b"])
  it(`sees only its own ConfigMap ${name}`, async () => {
    await cluster.client.core.v1.configmaps("team").create({ metadata: { name } });
    expect(await names()).toEqual([name, "kube-root-ca.crt"]);
  });

it("may delete what all share", async () => {
  await cluster.client.core.v1.namespaces().delete("team");
  await cluster.clock.advance("10s");
  await expect(cluster.client.core.v1.namespaces().get("team")).rejects.toThrow("not found");
});
