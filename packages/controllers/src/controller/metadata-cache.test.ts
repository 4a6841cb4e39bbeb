import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Controller, ControllerContext } from "./controller.js";
import { type MetadataCache, openMetadataCache } from "./metadata-cache.js";
import { startTestCluster, type TestCluster } from "./test-cluster.test.support.js";

describe("the metadata of a resource that is known at run time", () => {
  let cluster: TestCluster;
  let context: ControllerContext;
  let opened: MetadataCache[];
  let log: string[];
  const holder: Controller = {
    name: "holder",
    aliases: [],
    start(given) {
      context = given;
      given.informers.of("core", "v1", "configmaps");
      return { run: () => {}, stop: async () => void (await Promise.all(opened.map((cache) => cache.close()))) };
    },
  };
  const resource = (name: string) => ({ group: "", version: "v1", resource: name });
  const open = (name: string): MetadataCache => {
    const cache = openMetadataCache(context, resource(name), {
      keep: ({ metadata }) => ({ metadata: { name: metadata?.name ?? "", namespace: metadata?.namespace ?? "" } }),
      handler: {
        onAdd({ metadata }) {
          if (metadata?.namespace === "default") log.push(`+${name} ${metadata.name}`);
        },
        onDelete: ({ metadata }) => void log.push(`-${name} ${metadata?.name}`),
      },
    });
    opened.push(cache);
    return cache;
  };
  beforeEach(async () => {
    [opened, log] = [[], []];
    cluster = await startTestCluster({ controllers: [holder] });
  });
  afterEach(() => cluster.stop());

  it("is read from the cache that another controller has", () => {
    const cache = open("configmaps");
    expect(cache.indexer).toBe(context.informers.held(resource("configmaps"))?.indexer);
  });

  it("has a cache of its own where no controller has one, and only what is read", async () => {
    const cache = open("secrets");
    expect(context.informers.held(resource("secrets"))).toBeUndefined();
    await cluster.client.core.v1.secrets("default").create({ metadata: { name: "s", labels: { a: "b" } } });
    await cluster.settle();
    expect(cache.indexer.getByKey("default/s")).toEqual({ metadata: { name: "s", namespace: "default" } });
  });

  for (const name of ["configmaps", "secrets"] as const)
    it(`is handled until it is closed: ${name}`, async () => {
      const objects = cluster.client.core.v1[name]("default");
      await objects.create({ metadata: { name: "a" } });
      await cluster.settle();
      const cache = open(name);
      await cluster.settle();
      expect([log, cache.hasSynced]).toEqual([[`+${name} a`], true]);
      await objects.delete("a");
      await cluster.settle();
      expect(log).toEqual([`+${name} a`, `-${name} a`]);
      await cache.close();
      await objects.create({ metadata: { name: "b" } });
      await cluster.settle();
      expect(log).toHaveLength(2);
    });

  it("closing it leaves the cache of the other controller alone", async () => {
    await open("configmaps").close();
    await cluster.client.core.v1.configmaps("default").create({ metadata: { name: "later" } });
    await cluster.settle();
    expect(context.informers.held(resource("configmaps"))?.indexer.getByKey("default/later")).toBeDefined();
  });
});
