import type { DeepReadonly } from "@coxswain/api";
import type { Namespace } from "@coxswain/api/core/v1";
import { afterEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { serviceAccountController } from "./controller.js";
import { planAccounts } from "./plan.js";

describe("which service accounts a namespace lacks", () => {
  const active = { metadata: { name: "a" }, status: { phase: "Active" as const } };
  const rows: { name: string; namespace: DeepReadonly<Namespace> | undefined; has: string[]; plan: string[] }[] = [
    { name: "an active namespace without any gets the default one", namespace: active, has: [], plan: ["default"] },
    { name: "one that has it gets none", namespace: active, has: ["default"], plan: [] },
    {
      name: "one that is going away gets none",
      namespace: { ...active, status: { phase: "Terminating" as const } },
      has: [],
      plan: [],
    },
    { name: "one that is gone gets none", namespace: undefined, has: [], plan: [] },
  ];
  for (const row of rows)
    it(row.name, () =>
      expect(
        planAccounts(row.namespace, (name) => (row.has.includes(name) ? { metadata: { name } } : undefined)),
      ).toEqual(row.plan),
    );
});

describe("the service account controller", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  it("makes the default account of a namespace, again when it is deleted, and after a restart", async () => {
    cluster = await startTestCluster({ controllers: [serviceAccountController] });
    const { client } = cluster;
    const names = async () =>
      (await client.core.v1.serviceaccounts("shop").list()).items.map(({ metadata }) => metadata?.name);
    await client.core.v1.namespaces().create({ metadata: { name: "shop" } });
    await cluster.settle();
    expect(await names()).toEqual(["default"]);
    await client.core.v1.serviceaccounts("shop").delete("default");
    await cluster.settle();
    expect(await names()).toEqual(["default"]);
    await client.core.v1.namespaces().create({ metadata: { name: "later" } });
    await cluster.restart();
    await cluster.settle();
    expect((await client.core.v1.serviceaccounts("later").list()).items).toHaveLength(1);
  });
});
