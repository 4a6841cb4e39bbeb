import type { Pod } from "@coxswain/api/core/v1";
import { afterEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { namespaceController } from "./controller.js";
import { finalized } from "./delete-namespace.js";
import { graceOf, leftoverOf } from "./delete-resource.js";

describe("what is left of a resource", () => {
  const at = (estimateSeconds: number) => ({
    estimateSeconds,
    resource: { group: "apps", version: "v1", resource: "deployments" },
    namespace: "shop",
  });
  const item = (...finalizers: string[]) => ({ metadata: { name: "a", finalizers } });
  it("nothing ends the estimate", () => expect(leftoverOf([], at(30)).estimateSeconds).toBe(0));
  it("objects with finalizers are given fifteen seconds", () =>
    expect(leftoverOf([item("f"), item("f", "g")], at(0))).toEqual({
      estimateSeconds: 15,
      count: 2,
      finalizers: new Map([
        ["f", 2],
        ["g", 1],
      ]),
    }));
  it("an estimate of graceful deletion comes before that", () =>
    expect(leftoverOf([item("f")], at(30)).estimateSeconds).toBe(30));
  it("objects that nothing holds are an error", () =>
    expect(leftoverOf([item()], at(0)).error?.message).toBe(
      "unexpected items still remain in namespace: shop for gvr: apps/v1, Resource=deployments",
    ));
});

describe("how long pods may take", () => {
  const pod = (terminationGracePeriodSeconds: number, phase: "Running" | "Failed" = "Running"): Pod => ({
    spec: { containers: [], terminationGracePeriodSeconds },
    status: { phase },
  });
  const rows = [
    { name: "as long as the one with the longest grace", pods: [pod(5), pod(30)], ms: 0, seconds: 30 },
    { name: "pods that have ended do not count", pods: [pod(5), pod(30, "Failed")], ms: 0, seconds: 5 },
    { name: "not longer than the namespace has been waiting", pods: [pod(30)], ms: 30_000, seconds: 0 },
  ];
  for (const row of rows) it(row.name, () => expect(graceOf(row.pods, row.ms)).toBe(row.seconds));
});

it("finalizers of others stay", () =>
  expect(finalized({ spec: { finalizers: ["z", "kubernetes", "a"] } }).spec?.finalizers).toEqual(["a", "z"]));

describe("the namespace controller", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());
  const start = async (name: string) => {
    cluster = await startTestCluster({ controllers: [namespaceController] });
    await cluster.client.core.v1.namespaces().create({ metadata: { name } });
    await cluster.client.core.v1.serviceaccounts(name).create({ metadata: { name: "default" } });
    return cluster.client;
  };
  const exists = async (name: string) =>
    (await cluster.client.core.v1.namespaces().list()).items.some(({ metadata }) => metadata?.name === name);

  it("empties a deleted namespace after five seconds and lets it go, custom resources too", async () => {
    const client = await start("shop");
    await client.apiextensions.v1.customresourcedefinitions().create({
      metadata: { name: "widgets.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "widgets", kind: "Widget" },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    });
    await cluster.settle();
    const widgets = client.dynamic(
      { group: "example.com", version: "v1", resource: "widgets", kind: "Widget" },
      "shop",
    );
    await widgets.create({ metadata: { name: "w" } } as never);
    await client.core.v1.configmaps("shop").create({ metadata: { name: "c" } });
    await client.core.v1.namespaces().delete("shop");
    await cluster.advance(4_000);
    expect(await exists("shop")).toBe(true);
    expect((await widgets.list()).items).toHaveLength(1);
    await cluster.advance(1_500);
    expect(await exists("shop")).toBe(false);
    expect((await widgets.list()).items).toEqual([]);
  });

  it("waits for finalizers, reports them, and goes on after a restart", async () => {
    const client = await start("shop");
    await client.core.v1.configmaps("shop").create({ metadata: { name: "c", finalizers: ["example.com/keep"] } });
    await client.core.v1.namespaces().delete("shop");
    await cluster.advance(6_000);
    const { conditions } = (await client.core.v1.namespaces().get("shop")).status ?? {};
    const message = (type: string) => conditions?.find((condition) => condition.type === type)?.message;
    expect(message("NamespaceContentRemaining")).toBe(
      "Some resources are remaining: configmaps. has 1 resource instances",
    );
    expect(message("NamespaceFinalizersRemaining")).toBe(
      "Some content in the namespace has finalizers remaining: example.com/keep in 1 resource instances",
    );
    await cluster.restart();
    await client.core.v1.configmaps("shop").patch("c", { merge: { metadata: { finalizers: null } } });
    await cluster.advance(6_000);
    expect(await exists("shop")).toBe(false);
  });

  it("deletes nothing else while pods remain", async () => {
    const client = await start("shop");
    await client.core.v1.configmaps("shop").create({ metadata: { name: "c" } });
    await client.core.v1.pods("shop").create({
      metadata: { name: "p", finalizers: ["example.com/keep"] },
      spec: { containers: [{ name: "c", image: "i" }], terminationGracePeriodSeconds: 0 },
    });
    await client.core.v1.namespaces().delete("shop");
    await cluster.advance(6_000);
    expect((await client.core.v1.configmaps("shop").list()).items).toHaveLength(1);
    await client.core.v1.pods("shop").patch("p", { merge: { metadata: { finalizers: null } } });
    await cluster.advance(20_000);
    expect(await exists("shop")).toBe(false);
  });

  it("leaves a namespace whose other finalizers have not gone", async () => {
    const client = await start("shop");
    const namespace = await client.core.v1.namespaces().get("shop");
    await client.core.v1
      .namespaces()
      .subresource("finalize")
      .update("shop", {
        ...namespace,
        apiVersion: "v1",
        kind: "Namespace",
        spec: { finalizers: ["kubernetes", "example.com/keep"] },
      });
    await client.core.v1.namespaces().delete("shop");
    await cluster.advance(6_000);
    expect((await client.core.v1.namespaces().get("shop")).spec?.finalizers).toEqual(["example.com/keep"]);
    expect((await client.core.v1.serviceaccounts("shop").list()).items).toEqual([]);
  });
});
