import type { ConfigMap } from "@coxswain/api/core/v1";
import { afterEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { fixedRootCa } from "../settings/root-ca.js";
import { rootCaPublisherController } from "./controller.js";
import { bundleName, planBundle } from "./plan.js";

describe("what a namespace's bundle lacks", () => {
  const bundle = (data: Record<string, string>, annotations: Record<string, string>): ConfigMap => ({
    metadata: { name: bundleName, namespace: "shop", resourceVersion: "7", annotations },
    data,
  });
  const described = { "kubernetes.io/description": "Ours" };
  const rows = [
    { name: "none: it is created", existing: undefined, kind: "create" },
    {
      name: "the same, whatever its description: nothing",
      existing: bundle({ "ca.crt": "A" }, described),
      kind: "nothing",
    },
    { name: "another certificate: it is replaced", existing: bundle({ "ca.crt": "B" }, described), kind: "update" },
    { name: "one more key: it goes", existing: bundle({ "ca.crt": "A", more: "" }, described), kind: "update" },
    { name: "no description: it is added", existing: bundle({ "ca.crt": "A" }, { own: "x" }), kind: "update" },
  ];
  for (const row of rows)
    it(row.name, () => {
      const plan = planBundle(row.existing, "A");
      expect(plan.kind).toBe(row.kind);
      if (plan.kind === "nothing") return;
      expect(plan.configMap.data).toEqual({ "ca.crt": "A" });
      expect(plan.configMap.metadata?.annotations).toMatchObject({
        ...row.existing?.metadata?.annotations,
        "kubernetes.io/description": expect.stringMatching(/^Contains a CA bundle/),
      });
      expect(plan.configMap.metadata?.resourceVersion).toBe(row.existing?.metadata?.resourceVersion);
    });
});

describe("the root CA publisher", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  it("gives every namespace the bundle, again when it is changed or deleted, and after a restart", async () => {
    cluster = await startTestCluster({
      controllers: [rootCaPublisherController],
      settings: { rootCa: fixedRootCa("PEM") },
    });
    const { client } = cluster;
    const configMaps = client.core.v1.configmaps("shop");
    const bundle = async () => (await configMaps.get(bundleName)).data;
    await client.core.v1.namespaces().create({ metadata: { name: "shop" } });
    await cluster.settle();
    expect(await bundle()).toEqual({ "ca.crt": "PEM" });
    await configMaps.patch(bundleName, { merge: { data: { "ca.crt": "forged" } } });
    await cluster.settle();
    expect(await bundle()).toEqual({ "ca.crt": "PEM" });
    await configMaps.delete(bundleName);
    await cluster.restart();
    await cluster.settle();
    expect(await bundle()).toEqual({ "ca.crt": "PEM" });
  });
});
