import type { ConfigMap } from "@coxswain/api/core/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { garbageCollectorController } from "./controller.js";

describe("the garbage collector", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startTestCluster({ controllers: [garbageCollectorController] });
  });
  afterEach(() => cluster.stop());

  const configMaps = (namespace = "default") => cluster.client.core.v1.configmaps(namespace);
  const create = (name: string, owners: ConfigMap[] = [], members: { block?: boolean; namespace?: string } = {}) =>
    configMaps(members.namespace).create({
      metadata: {
        name,
        ownerReferences: owners.map(({ metadata }) => ({
          apiVersion: "v1",
          kind: "ConfigMap",
          name: metadata?.name ?? "",
          uid: metadata?.uid ?? "",
          ...(members.block && { blockOwnerDeletion: true }),
        })),
      },
    });
  const names = async (namespace?: string) =>
    (await configMaps(namespace).list()).items.map(({ metadata }) => metadata?.name);

  it("deletes what a deleted owner leaves, all the way down", async () => {
    const owner = await create("owner");
    const child = await create("child", [owner]);
    await create("grandchild", [child]);
    await cluster.settle();
    await configMaps().delete("owner", { propagationPolicy: "Background" });
    await cluster.settle();
    expect(await names()).toEqual([]);
  });

  it("keeps what another owner keeps, without the reference to the one that went", async () => {
    const [a, b] = [await create("a"), await create("b")];
    await create("child", [a, b]);
    await cluster.settle();
    await configMaps().delete("a");
    await cluster.settle();
    expect((await configMaps().get("child")).metadata?.ownerReferences).toMatchObject([{ name: "b" }]);
  });

  it("in a foreground deletion the owner goes last", async () => {
    const owner = await create("owner");
    const child = await create("child", [owner], { block: true });
    await configMaps().patch("child", { merge: { metadata: { finalizers: ["example.com/keep"] } } });
    await create("grandchild", [child], { block: true });
    await cluster.settle();
    await configMaps().delete("owner", { propagationPolicy: "Foreground" });
    await cluster.settle();
    expect(await names()).toEqual(["child", "owner"]);
    await configMaps().patch("child", { merge: { metadata: { finalizers: null } } });
    await cluster.settle();
    expect(await names()).toEqual([]);
  });

  it("a circle of foreground deletions ends", async () => {
    const a = await create("a");
    const b = await create("b", [a], { block: true });
    await configMaps().patch("a", {
      merge: {
        metadata: {
          ownerReferences: [
            { apiVersion: "v1", kind: "ConfigMap", name: "b", uid: b.metadata?.uid ?? "", blockOwnerDeletion: true },
          ],
        },
      },
    });
    await cluster.settle();
    await configMaps().delete("a", { propagationPolicy: "Foreground" });
    await cluster.advance(2_000);
    expect(await names()).toEqual([]);
  });

  it("an orphaning deletion leaves the dependents without the reference", async () => {
    const owner = await create("owner");
    await create("child", [owner]);
    await cluster.settle();
    await configMaps().delete("owner", { propagationPolicy: "Orphan" });
    await cluster.settle();
    expect(await names()).toEqual(["child"]);
    expect((await configMaps().get("child")).metadata?.ownerReferences).toBeUndefined();
  });

  it("deletes what names an owner that never was", async () => {
    await create("child", [{ metadata: { name: "never", uid: "0b0d2a5c-7a55-4b4f-a3a0-000000000000" } }]);
    await cluster.settle();
    expect(await names()).toEqual([]);
  });

  it("deletes what names an owner in another namespace, and records an event", async () => {
    await cluster.client.core.v1.namespaces().create({ metadata: { name: "other" } });
    const owner = await create("owner");
    await cluster.settle();
    await create("child", [owner], { namespace: "other" });
    await cluster.settle();
    expect(await names("other")).toEqual([]);
    expect(await names()).toEqual(["owner"]);
    const { items } = await cluster.client.core.v1.events("other").list();
    expect(items.map(({ reason, message }) => `${reason} ${message}`)).toEqual([
      `OwnerRefInvalidNamespace ownerRef [v1/ConfigMap, namespace: other, name: owner, uid: ${owner.metadata?.uid}] does not exist in namespace "other"`,
    ]);
  });

  it("finishes after a restart what was deleted without it", async () => {
    const owner = await create("owner");
    await create("child", [owner]);
    await cluster.settle();
    const restarted = cluster.restart();
    await configMaps().delete("owner", { propagationPolicy: "Orphan" });
    await restarted;
    await cluster.settle();
    expect(await names()).toEqual(["child"]);
  });

  it("collects custom resources of a definition that came later, by patches that they take", async () => {
    await cluster.client.apiextensions.v1.customresourcedefinitions().create({
      metadata: { name: "widgets.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "widgets", kind: "Widget" },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    });
    await cluster.settle();
    const widgets = cluster.client.dynamic(
      { group: "example.com", version: "v1", resource: "widgets", kind: "Widget" },
      "default",
    );
    const widget = (name: string, ...owners: (object | undefined)[]) =>
      widgets.create({ metadata: { name, ownerReferences: owners } } as never);
    const [a, b] = [await widget("a"), await widget("b")];
    const referenceTo = ({ metadata }: typeof a) => ({
      apiVersion: "example.com/v1",
      kind: "Widget",
      name: metadata.name,
      uid: metadata.uid,
    });
    await widget("of-both", referenceTo(a), referenceTo(b));
    await widget("of-a", referenceTo(a));
    await cluster.settle();
    await widgets.delete("a");
    await cluster.settle();
    expect((await widgets.list()).items.map(({ metadata }) => metadata.name)).toEqual(["b", "of-both"]);
    expect((await widgets.get("of-both")).metadata.ownerReferences).toMatchObject([{ name: "b" }]);
  });
});

it("a discovery that lists nothing, or fails, ends no collection and is counted", async () => {
  let answer: "all" | "nothing" | "error" = "all";
  const cluster = await startTestCluster({
    controllers: [
      {
        ...garbageCollectorController,
        start(context) {
          const { discovery } = context;
          const surface: typeof discovery.surface = async () => {
            if (answer === "error") throw new Error("no answer");
            return answer === "nothing" ? { groups: [], failed: [] } : discovery.surface();
          };
          return garbageCollectorController.start({ ...context, discovery: { ...discovery, surface } });
        },
      },
    ],
  });
  const errors = (): string | undefined =>
    /^garbagecollector_controller_resources_sync_error_total (\d+)$/m.exec(cluster.metrics.text())?.[1];
  const configMaps = cluster.client.core.v1.configmaps("default");
  const { metadata: { uid = "" } = {} } = await configMaps.create({ metadata: { name: "owner" } });
  const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid }];
  await configMaps.create({ metadata: { name: "child", ownerReferences } });
  await cluster.settle();
  expect(errors()).toBe("0");
  answer = "nothing";
  await cluster.advance(30_000);
  expect(errors()).toBe("1");
  answer = "error";
  await cluster.advance(30_000);
  expect(Number(errors())).toBeGreaterThan(1);
  await configMaps.delete("owner");
  await cluster.settle();
  expect((await configMaps.list()).items).toEqual([]);
  await cluster.stop();
});
