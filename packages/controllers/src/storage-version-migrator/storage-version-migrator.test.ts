import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { storageVersionMigratorController } from "./controller.js";
import { migrateObjects } from "./migrate-objects.js";
import { type CachedMigration, nextStep, withCondition } from "./plan.js";

const migration = (name: string, states: string[] = [], resourceVersion?: string): CachedMigration => ({
  metadata: { name, creationTimestamp: "2026-01-01T00:00:00Z" },
  spec: { resource: { group: "", resource: "configmaps" } },
  status: {
    conditions: states.map((type) => ({ type, status: "True", reason: "", message: "", lastTransitionTime: "" })),
    ...(resourceVersion && { resourceVersion }),
  },
});

describe("the next step for a resource", () => {
  const rows: { name: string; migrations: CachedMigration[]; step?: string }[] = [
    { name: "none without migrations", migrations: [] },
    { name: "none when all are over", migrations: [migration("a", ["Succeeded"]), migration("b", ["Failed"])] },
    { name: "begins the first", migrations: [migration("b"), migration("a")], step: "begin a" },
    {
      name: "begins none while one runs",
      migrations: [migration("b"), migration("c", ["Running"])],
      step: "checkpoint c",
    },
    { name: "migrates up to the noted version", migrations: [migration("a", ["Running"], "7")], step: "migrate a" },
    {
      name: "finishes one that is over before it begins another",
      migrations: [migration("a", ["Running", "Succeeded"], "7"), migration("b")],
      step: "finish a",
    },
  ];
  for (const { name, migrations, step } of rows)
    it(name, () => {
      const next = nextStep(migrations);
      expect(next && `${next.kind} ${next.migration.metadata?.name}`).toBe(step);
    });
  it("begins the older one, whatever their names", () => {
    const older = { ...migration("z"), metadata: { name: "z", creationTimestamp: "2025-01-01T00:00:00Z" } };
    expect(nextStep([migration("a"), older])?.migration.metadata?.name).toBe("z");
  });
  it("a condition is changed only when its status changes", () => {
    const [old] = migration("a", ["Running"]).status?.conditions ?? [];
    const next = { type: "Running", status: "True", reason: "x", message: "", lastTransitionTime: "" } as const;
    expect(withCondition([old as never], next)).toEqual([old]);
    expect(withCondition([old as never], { ...next, status: "False" })).toEqual([{ ...next, status: "False" }]);
  });
});

describe("the storage version migrator", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startTestCluster({
      controllers: [storageVersionMigratorController],
      api: {
        featureGates: new Map([["StorageVersionMigrator", "true"]]),
        runtimeConfig: new Map([["storagemigration.k8s.io/v1beta1", "true"]]),
      },
    });
  });
  afterEach(() => cluster.stop());
  const migrate = (name: string, resource: string) =>
    cluster.client.storagemigration.v1beta1
      .storageversionmigrations()
      .create({ metadata: { name }, spec: { resource: { group: "", resource } } });
  const conditions = async (name: string) =>
    (await cluster.client.storagemigration.v1beta1.storageversionmigrations().get(name)).status?.conditions?.map(
      ({ type, status, reason }) => `${type}=${status} ${reason}`,
    );

  it("writes all objects of the resource, without changing them, and reports it", async () => {
    const configMaps = cluster.client.core.v1.configmaps("default");
    const before = await configMaps.create({ metadata: { name: "c" }, data: { a: "b" } });
    await migrate("m", "configmaps");
    await cluster.advance(5_000);
    expect(await conditions("m")).toEqual([
      "Running=False MigrationCompleted",
      "Succeeded=True StorageVersionMigrationSucceeded",
    ]);
    expect((await configMaps.get("c")).data).toEqual(before.data);
  });

  it("reports it in the definition of a custom resource, and what is stored there now", async () => {
    const definitions = cluster.client.apiextensions.v1.customresourcedefinitions();
    const version = (name: string, storage: boolean) => ({
      name,
      served: true,
      storage,
      schema: { openAPIV3Schema: { type: "object" } },
    });
    const { metadata } = await definitions.create({
      metadata: { name: "widgets.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "widgets", kind: "Widget" },
        versions: [version("v1", true), version("v2", false)],
      },
    });
    await cluster.settle();
    const widgets = cluster.client.dynamic({ group: "example.com", version: "v1", resource: "widgets" }, "default");
    await widgets.create({ apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" } } as never);
    const name = metadata?.name ?? "";
    await definitions.patch(name, { merge: { spec: { versions: [version("v1", false), version("v2", true)] } } });
    await cluster.settle();
    expect((await definitions.get(name)).status?.storedVersions).toEqual(["v1", "v2"]);
    await cluster.client.storagemigration.v1beta1
      .storageversionmigrations()
      .create({ metadata: { name: "m" }, spec: { resource: { group: "example.com", resource: "widgets" } } });
    await cluster.advance(5_000);
    const { status } = await definitions.get(name);
    expect(status?.storedVersions).toEqual(["v2"]);
    expect(status?.conditions).toContainEqual(
      expect.objectContaining({
        type: "StorageMigrating",
        status: "False",
        reason: "MigrationSucceeded",
        message: "The migration has succeeded and the stored versions have been updated",
      }),
    );
  });

  it("fails for a resource that cannot be patched", async () => {
    await migrate("m", "bindings");
    await cluster.advance(120_000);
    expect(await conditions("m")).toEqual([
      "Running=False MigrationCompleted",
      "Failed=True StorageVersionMigrationFailed",
    ]);
  });

  it("fails for a resource that is not there, after a minute", async () => {
    await migrate("m", "nothings");
    await cluster.advance(30_000);
    expect(await conditions("m")).toEqual(["Running=True MigrationRunning"]);
    await cluster.advance(120_000);
    expect(await conditions("m")).toEqual([
      "Running=False MigrationCompleted",
      "Failed=True StorageVersionMigrationFailed",
    ]);
  });
});

it("objects of a server whose versions cannot be compared are not migrated", async () => {
  const items = async function* () {
    yield { metadata: { name: "a", resourceVersion: "abc" } };
  };
  const client = { metadata: () => ({ items }) } as never;
  const resource = { group: "", version: "v1", resource: "things", kind: "Thing", namespaced: true, verbs: [] };
  const options = { resource, upTo: "7", fieldManager: "m", signal: new AbortController().signal };
  expect(await migrateObjects(client, options)).toBeInstanceOf(Error);
});
