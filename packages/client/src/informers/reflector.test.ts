import { internalError, resourceExpired } from "@coxswain/apimachinery/status";
import { testRuntime } from "@coxswain/runtime";
import { describe, expect, it } from "vitest";
import { createStore, keyOf } from "../stores/index.js";
import { createFakeServer, type FakeServerOptions, type Thing } from "./fake-server.test.support.js";
import { createReflector, type ReflectorOptions } from "./reflector.js";

async function setUp(server: Partial<FakeServerOptions> = {}, reflector: Partial<ReflectorOptions<Thing>> = {}) {
  const runtime = testRuntime(1);
  const { clock } = runtime;
  const fake = createFakeServer({ clock, ...server });
  for (const name of ["a", "b", "c", "d", "e"]) fake.put(name, 1);
  const store = createStore<Thing>();
  const states: string[] = [];
  const errors: string[] = [];
  const subject = createReflector<Thing>({
    listerWatcher: fake.listerWatcher,
    target: store,
    runtime,
    onStateChange: ({ at }) => states.push(at),
    onError: (error) => errors.push(String(error)),
    ...reflector,
  });
  const ending = new AbortController();
  const running = subject.run(ending.signal);
  await clock.settle();
  const stop = async (): Promise<void> => {
    ending.abort();
    await running;
  };
  const values = (): string =>
    store
      .list()
      .map((thing) => `${thing.metadata.name}${thing.value}`)
      .join(" ");
  return { clock, fake, store, states, errors, subject, stop, values };
}

describe("a reflector", () => {
  it("takes the first state from one watch and goes on with it", async () => {
    const { fake, states, values, clock, subject, stop } = await setUp();
    expect(states).toEqual(["streaming", "watching"]);
    fake.put("a", 2);
    fake.remove("b");
    await clock.settle();
    expect(values()).toBe("a2 c1 d1 e1");
    expect(fake.requests).toHaveLength(1);
    expect(subject.health).toMatchObject({ lastSyncResourceVersion: "107", consecutiveFailures: 0 });
    await stop();
    expect(states.at(-1)).toBe("stopped");
    expect(fake.watches).toEqual([]);
  });

  it("lists in pages where the server has no WatchList", async () => {
    const { fake, states, values, stop } = await setUp({ watchList: () => false }, { pageSize: 2 });
    expect(values()).toBe("a1 b1 c1 d1 e1");
    expect(states).toEqual(["streaming", "listing", "watching"]);
    expect(fake.requests.slice(1)).toEqual([
      'list {"resourceVersion":"0","limit":2}',
      'list {"limit":2,"continue":"105:2"}',
      'list {"limit":2,"continue":"105:4"}',
      'watch {"resourceVersion":"105","allowWatchBookmarks":true}',
    ]);
    await stop();
  });

  it("lists everything in one when the continue token expires half way", async () => {
    const { fake, values, stop } = await setUp(
      {
        faults: {
          beforeList({ continue: token }) {
            if (token !== undefined) throw resourceExpired("The provided continue parameter is too old");
          },
        },
      },
      { pageSize: 2, useWatchList: false },
    );
    expect(values()).toBe("a1 b1 c1 d1 e1");
    expect(fake.requests.slice(0, 3)).toEqual([
      'list {"resourceVersion":"0","limit":2}',
      'list {"limit":2,"continue":"105:2"}',
      'list {"resourceVersion":"0"}',
    ]);
    await stop();
  });

  it("resumes from its last version after a broken connection, without listing", async () => {
    const { fake, clock, values, stop, errors } = await setUp();
    fake.watches[0]?.cut(new Error("socket hang up"));
    fake.put("f", 1);
    await clock.advance(2000);
    expect(values()).toBe("a1 b1 c1 d1 e1 f1");
    expect(fake.requests.slice(1)).toEqual(['watch {"resourceVersion":"105","allowWatchBookmarks":true}']);
    expect(errors).toEqual(["Error: socket hang up"]);
    await stop();
  });

  it("resumes from a bookmark", async () => {
    const { fake, clock, stop } = await setUp();
    fake.put("z", 1);
    fake.remove("z");
    fake.bookmark();
    await clock.settle();
    fake.watches[0]?.end();
    await clock.settle();
    expect(fake.requests.at(-1)).toBe('watch {"resourceVersion":"107","allowWatchBookmarks":true}');
    await stop();
  });

  it("replaces its content when the events it missed are gone", async () => {
    const { fake, clock, values, stop } = await setUp();
    fake.watches[0]?.cut(new Error("socket hang up"));
    fake.remove("a");
    fake.compact();
    await clock.advance(10_000);
    expect(values()).toBe("b1 c1 d1 e1");
    expect(fake.requests.at(-1)).toContain(
      '"sendInitialEvents":true,"resourceVersionMatch":"NotOlderThan","resourceVersion":"105"',
    );
    await stop();
  });

  it("notices a watch that went silent when its time is over", async () => {
    const { fake, clock, values, stop, errors } = await setUp();
    fake.watches[0]?.freeze();
    fake.put("f", 1);
    await clock.advance(290_000);
    expect(values()).toBe("a1 b1 c1 d1 e1");
    await clock.advance(345_000);
    expect(values()).toBe("a1 b1 c1 d1 e1 f1");
    expect(errors[0]).toMatch(/^DeadlineError: reading a watch: nothing came within /);
    await stop();
  });

  it("lists when nothing comes of the first state", async () => {
    const { fake, clock, values, stop } = await setUp({
      faults: {
        beforeWatch: ({ sendInitialEvents }) => (sendInitialEvents ? new Promise<never>(() => {}) : undefined),
      },
    });
    await clock.advance(60_000);
    expect(values()).toBe("a1 b1 c1 d1 e1");
    expect(fake.requests[1]).toBe('list {"resourceVersion":"0","limit":500}');
    await stop();
  });

  for (const futureWatch of ["refuse", "accept"] as const)
    it(`follows a server that was restored from a backup and would ${futureWatch} its version`, async () => {
      const { fake, clock, values, stop } = await setUp({ futureWatch });
      const backup = fake.backup();
      fake.put("a", 2);
      fake.put("new", 1);
      await clock.settle();
      fake.restore(backup);
      await clock.advance(2000);
      fake.bookmark();
      await clock.advance(20_000);
      expect(values()).toBe("a1 b1 c1 d1 e1");
      await stop();
    });

  it("backs off longer and longer while the server fails, and shows it", async () => {
    let healthy = true;
    const refuse = (): void => {
      if (!healthy) throw internalError("no");
    };
    const { fake, clock, stop, subject, values } = await setUp({ faults: { beforeList: refuse, beforeWatch: refuse } });
    healthy = false;
    fake.watches[0]?.end();
    const before = fake.requests.length;
    await clock.advance(100_000);
    expect(fake.requests.length - before).toBeLessThan(16);
    expect(subject.health.state.at).toBe("waiting");
    expect(String(subject.health.lastError?.error)).toContain("no");
    expect(subject.health.consecutiveFailures).toBeGreaterThan(3);
    expect(clock.now() - (subject.health.lastContactAt ?? 0)).toBe(100_000);
    healthy = true;
    fake.put("f", 1);
    await clock.advance(61_000);
    expect(values()).toContain("f1");
    expect(subject.health).toMatchObject({ state: { at: "watching" }, consecutiveFailures: 0 });
    await stop();
  });

  it("transforms every object before it is kept, and leaves out an event it cannot transform", async () => {
    const { fake, clock, values, stop, errors } = await setUp(
      {},
      {
        transform(thing) {
          if (thing.value === 13) throw new Error("unlucky");
          return { ...thing, value: (thing.value ?? 0) * 10 };
        },
      },
    );
    fake.put("a", 2);
    fake.put("b", 13);
    await clock.settle();
    expect(values()).toBe("a20 b10 c10 d10 e10");
    expect(errors).toEqual(["Error: unlucky"]);
    await stop();
  });

  it("freezes what it keeps when deep freeze is on", async () => {
    const { store, stop } = await setUp();
    const [first] = store.list();
    expect(Object.isFrozen(first?.metadata)).toBe(true);
    expect(keyOf(first as Thing)).toBe("default/a");
    await stop();
  });

  it("stops at once although the server never answers", async () => {
    const { stop, states } = await setUp({ faults: { beforeWatch: () => new Promise<never>(() => {}) } });
    await stop();
    expect(states).toEqual(["streaming", "stopped"]);
  });
});
