import type { ConfigMap } from "@coxswain/api/core/v1";
import { startCluster, type TestCluster } from "@coxswain/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtIn, createManager, type Manager } from "../index.js";
import {
  apply,
  type Condition,
  createOrPatch,
  ensureFinalizer,
  isConditionTrue,
  removeCondition,
  removeFinalizer,
  setCondition,
  setControllerReference,
} from "./index.js";

const { configmaps, secrets, namespaces } = builtIn.core.v1;

describe("conditions", () => {
  const at = Date.UTC(2026, 0, 1);
  const ready: Condition = {
    type: "Ready",
    status: "True",
    reason: "Done",
    message: "",
    lastTransitionTime: "2025-01-01T00:00:00Z",
  };
  const update = { type: "Ready", status: "True", reason: "Done" };
  it("a new one comes last, with the time of now", () =>
    expect(setCondition([ready], { type: "Failed", status: "False", reason: "None" }, at)).toEqual([
      ready,
      { type: "Failed", status: "False", reason: "None", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" },
    ]));
  it("the same one is no change", () => {
    const before = [ready];
    expect(setCondition(before, update, at)).toBe(before);
  });
  it("another reason keeps the time", () =>
    expect(setCondition([ready], { ...update, reason: "Other" }, at)[0]).toEqual({ ...ready, reason: "Other" }));
  it("another status moves the time", () =>
    expect(setCondition([ready], { ...update, status: "False" }, at)[0]?.lastTransitionTime).toBe(
      "2026-01-01T00:00:00Z",
    ));
  it("another generation is a change that keeps the time", () =>
    expect(setCondition([ready], { ...update, observedGeneration: 2 }, at)[0]).toEqual({
      ...ready,
      observedGeneration: 2,
    }));
  it("are found and removed", () => {
    expect(isConditionTrue([ready], "Ready")).toBe(true);
    expect(removeCondition([ready], "Ready")).toEqual([]);
  });
});

describe("helpers that write", () => {
  let cluster: TestCluster;
  let manager: Manager;
  const access = () => manager.access("test");
  const maps = () => cluster.client.core.v1.configmaps("default");
  beforeAll(async () => {
    cluster = await startCluster({ seed: 1, nodes: 0, controllers: [] });
    await cluster.run("helpers", (client, world) => {
      manager = createManager({ client, ...world });
      void manager.start().catch(() => {}); // reported by the tests below
      return manager;
    });
  });
  afterAll(() => cluster.stop());
  const make = (name: string, data = {}): Promise<ConfigMap> => maps().create({ metadata: { name }, data });

  it("a finalizer is added once, and removed in the version that was read", async () => {
    const made = await make("finalized");
    const added = await ensureFinalizer(access(), configmaps, made, "example.com/a");
    expect(added.metadata?.finalizers).toEqual(["example.com/a"]);
    expect(await ensureFinalizer(access(), configmaps, added, "example.com/a")).toBe(added);
    await expect(ensureFinalizer(access(), configmaps, made, "example.com/b")).rejects.toThrow(
      "the object has been modified",
    );
    await maps().delete("finalized");
    const deleting = await maps().get("finalized");
    expect(await ensureFinalizer(access(), configmaps, deleting, "example.com/b")).toBe(deleting);
    await removeFinalizer(access(), configmaps, deleting, "example.com/a");
    await expect(maps().get("finalized")).rejects.toThrow("not found");
    await removeFinalizer(access(), configmaps, deleting, "example.com/a"); // it is gone: what was wanted
  });

  it("createOrPatch creates, changes, and leaves alone", async () => {
    const name = { namespace: "default", name: "wanted" };
    const set = (v: string) =>
      createOrPatch(access(), configmaps, name, (map) => void (map.data = { ...map.data, v }), { from: [] });
    expect((await set("1")).operation).toBe("created");
    expect((await set("1")).operation).toBe("unchanged");
    expect((await set("2")).operation).toBe("updated");
    expect((await maps().get("wanted")).data).toEqual({ v: "2" });
    const rename = createOrPatch(access(), configmaps, name, (map) => void (map.metadata = { name: "other" }), {
      from: [],
    });
    await expect(rename).rejects.toThrow("must not mutate object name or namespace");
  });

  it("apply sets the owner, and removes what it does not name any more", async () => {
    const object = await make("owner");
    const owner = { resource: configmaps, object };
    const metadata = { namespace: "default", name: "owned" };
    await apply(access(), secrets, { metadata, stringData: {}, data: { a: "MQ==", b: "MQ==" } }, { owner });
    const next = await apply(access(), secrets, { metadata, data: { a: "Mg==" } }, { owner });
    expect(next.data).toEqual({ a: "Mg==" });
    expect(next.metadata?.ownerReferences).toMatchObject([{ kind: "ConfigMap", name: "owner", controller: true }]);
  });

  it("an owner must not be another's, nor in another namespace", async () => {
    const [one, two] = [await make("one"), await make("two")];
    const child = setControllerReference(
      { metadata: { namespace: "default", name: "c" } },
      { resource: configmaps, object: one },
    );
    expect(() => setControllerReference(child, { resource: configmaps, object: two })).toThrow(
      "Object default/c is already owned by another ConfigMap controller one",
    );
    expect(() => setControllerReference({ metadata: { name: "n" } }, { resource: configmaps, object: one })).toThrow(
      "cluster-scoped resource must not have a namespace-scoped owner",
    );
    expect(namespaces.scope).toBe("Cluster");
  });
});
