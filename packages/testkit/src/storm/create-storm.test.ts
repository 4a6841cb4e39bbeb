import { type CachedObject, createSharedInformer, type SharedIndexInformer } from "@coxswain/client/informers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startCluster } from "../cluster/start-cluster.js";
import type { TestCluster } from "../cluster/test-cluster.js";
import type { Storm, Trouble } from "./create-storm.js";

describe("a storm between a program and its server", () => {
  let cluster: TestCluster;
  let storm: Storm;
  let informer: SharedIndexInformer<CachedObject>;
  let errors: string[];
  beforeEach(async () => {
    cluster = await startCluster({ seed: 1, nodes: 0, controllers: [] });
    errors = [];
    storm = cluster.storm();
    await cluster.run(
      "follower",
      (client, world) => {
        informer = createSharedInformer<CachedObject>({
          listerWatcher: client.core.v1.configmaps("default"),
          onError: (error) => errors.push(String((error as Error).message)),
          ...world,
        });
        informer.start();
        return informer;
      },
      { through: (next) => storm.through(next) },
    );
  });
  afterEach(() => cluster.stop());
  const seen = (): string[] => informer.indexer.list().map(({ metadata }) => metadata?.name ?? "");
  const ends: Record<string, RegExp | undefined> = {
    cut: /cut within a frame/,
    gone: /too old resource version/,
    broken: /broken \(storm\)/,
    ended: undefined,
  };
  for (const [trouble, error] of Object.entries(ends))
    it(`${trouble}: the informer comes again and sees what it missed`, async () => {
      await cluster.clock.advance("1s");
      storm.strike(trouble as Trouble);
      await cluster.client.core.v1.configmaps("default").create({ metadata: { name: "later" } });
      await cluster.clock.advance("10s");
      expect(seen()).toContain("later");
      if (error) expect(errors.join()).toMatch(error);
      else expect(errors).toEqual([]);
    });

  it("silent: what the informer misses it sees once the watch is overdue", async () => {
    await cluster.clock.advance("1s");
    storm.strike("silent");
    await cluster.client.core.v1.configmaps("default").create({ metadata: { name: "later" } });
    await cluster.clock.advance("1m");
    expect(seen()).not.toContain("later");
    await cluster.clock.advance("12m");
    expect(seen()).toContain("later");
  });
});
