import { type CachedObject, createSharedInformer, type SharedIndexInformer } from "@coxswain/client/informers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startCluster } from "../cluster/start-cluster.js";
import type { TestCluster } from "../cluster/test-cluster.js";
import type { Program } from "./programs.js";

let cluster: TestCluster;
let program: Program;
let informer: SharedIndexInformer<CachedObject>;
let ticks: number[];
beforeEach(async () => {
  cluster = await startCluster({ seed: 1, nodes: 0, controllers: [] });
  ticks = [];
  program = await cluster.run("ticker", (client, world) => {
    informer = createSharedInformer<CachedObject>({ listerWatcher: client.core.v1.configmaps("default"), ...world });
    informer.start();
    const tick = (): void => {
      ticks.push(world.clock.now());
      world.clock.setTimer(10_000, tick);
    };
    world.clock.setTimer(10_000, tick);
    return informer;
  });
});
afterEach(() => cluster.stop());
const create = (name: string) => cluster.client.core.v1.configmaps("default").create({ metadata: { name } });
const seen = (): (string | undefined)[] => informer.indexer.list().map(({ metadata }) => metadata?.name);

it("a paused program sees no event and no timer, while time goes on; then it gets both", async () => {
  const start = cluster.clock.now();
  await cluster.clock.advance("11s");
  program.pause();
  await create("late");
  await cluster.clock.advance("1m");
  expect(seen()).not.toContain("late");
  expect(ticks).toEqual([start + 10_000]);
  program.resume();
  await cluster.settle();
  expect(seen()).toContain("late");
  // One timer came due in the pause; it notices how late it is.
  expect(ticks).toEqual([start + 10_000, start + 71_000]);
  await cluster.clock.advance("10s");
  expect(ticks).toHaveLength(3);
});

it("a program that is killed in a pause starts again", async () => {
  program.pause();
  await create("late");
  await program.crash();
  await cluster.settle();
  expect(program.starts).toBe(2);
  expect(seen()).toContain("late");
});

it("a killed server: programs go on with the next one, and nothing that is stored is lost", async () => {
  await create("before");
  await cluster.killServer();
  await create("after");
  await cluster.clock.advance("10s");
  expect(program.starts).toBe(1);
  expect(seen()).toEqual(expect.arrayContaining(["before", "after"]));
});

it("a program that waits for its clock when it is killed starts again, though time stands still", async () => {
  const sleeper = await cluster.run("sleeper", (_, world) => ({
    stop: () => new Promise<void>((resolve) => void world.clock.setTimer(2000, resolve)),
  }));
  const before = cluster.clock.now();
  await sleeper.crash();
  expect([sleeper.starts, cluster.clock.now()]).toEqual([2, before]);
});
