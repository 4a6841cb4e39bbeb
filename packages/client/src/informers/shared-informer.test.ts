import { parseLabelSelector } from "@coxswain/apimachinery/selector";
import { testRuntime } from "@coxswain/runtime";
import { createActivity } from "@coxswain/runtime/activity";
import { createVirtualClock, type VirtualClock } from "@coxswain/runtime/clock";
import { macrotask } from "@coxswain/runtime/event-loop";
import { describe, expect, it } from "vitest";
import { type EventHandler, filterEvents } from "./event-handler.js";
import { createFakeServer, type FakeServerOptions, type Thing } from "./fake-server.test.support.js";
import { createLatch } from "./latch.js";
import { createLister } from "./lister.js";
import { createMutationDetector } from "./mutation-detector.js";
import { createSharedInformer, type SharedInformerOptions } from "./shared-informer.js";
import { createSharedInformerFactory } from "./shared-informer-factory.js";

function setUp(options: Partial<SharedInformerOptions<Thing>> = {}, server: Partial<FakeServerOptions> = {}) {
  const runtime = options.runtime ?? testRuntime(1);
  const clock = runtime.clock as VirtualClock;
  const fake = createFakeServer({ clock, ...server });
  const errors: string[] = [];
  const informer = createSharedInformer<Thing>({
    listerWatcher: fake.listerWatcher,
    onError: (error) => errors.push(String(error)),
    ...options,
    runtime,
  });
  return { clock, fake, informer, errors };
}

/** An informer, and the signals that its watches were given. */
function watched() {
  const signals: AbortSignal[] = [];
  const runtime = testRuntime(1);
  const clock = runtime.clock as VirtualClock;
  const { listerWatcher } = createFakeServer({ clock });
  const { informer } = setUp({
    runtime,
    listerWatcher: {
      ...listerWatcher,
      watch(request, signal) {
        signals.push(signal);
        return listerWatcher.watch(request, signal);
      },
    },
  });
  return { clock, informer, signals };
}

/** A handler that logs its notifications. */
function recorder(): EventHandler<{ readonly metadata: { readonly name?: string }; readonly value?: number }> & {
  log: string[];
} {
  const log: string[] = [];
  return {
    log,
    onAdd: ({ metadata, value }, initial) => void log.push(`add${initial ? "!" : ""} ${metadata.name}${value}`),
    onUpdate: (old, { metadata, value }) => void log.push(`update ${metadata.name}${old.value}-${value}`),
    onDelete: ({ metadata }, { finalStateUnknown }) =>
      void log.push(`delete${finalStateUnknown ? "?" : ""} ${metadata.name}`),
  };
}

describe("a shared informer", () => {
  it("ends its watch with a reason that all share: making one for each costs a stack", async () => {
    const reasons: unknown[] = [];
    for (let at = 0; at < 2; at++) {
      const { clock, informer, signals } = watched();
      informer.start();
      await clock.settle();
      await informer.stop();
      for (const signal of signals) reasons.push(signal.reason);
    }
    expect(reasons.length).toBeGreaterThan(1);
    expect(new Set(reasons).size).toBe(1);
    expect(reasons[0]).toMatchObject({ name: "AbortError" });
  });

  it("hands the first list and every change to each handler, in order", async () => {
    const { clock, fake, informer } = setUp();
    const [one, two] = [recorder(), recorder()];
    fake.put("a", 1);
    informer.addHandler(one);
    informer.addHandler(two);
    informer.start();
    informer.start();
    await clock.settle();
    fake.put("b", 1);
    fake.put("a", 2);
    fake.remove("b");
    await clock.settle();
    expect(one.log).toEqual(["add! a1", "add b1", "update a1-2", "delete b"]);
    expect(two.log).toEqual(one.log);
    expect(fake.requests).toHaveLength(1);
    await informer.stop();
  });

  it("the cache holds an object before its handler is notified", async () => {
    const { clock, fake, informer } = setUp();
    const seen: unknown[] = [];
    informer.addHandler({ onAdd: (thing) => void seen.push(informer.indexer.get(thing) === thing) });
    fake.put("a", 1);
    informer.start();
    await clock.settle();
    expect(seen).toEqual([true]);
    await informer.stop();
  });

  it("a handler that comes late receives every known object, then changes", async () => {
    const { clock, fake, informer } = setUp();
    fake.put("a", 1);
    informer.start();
    await clock.settle();
    const late = recorder();
    const registration = informer.addHandler(late);
    expect(registration.hasSynced).toBe(false);
    fake.put("a", 2);
    await clock.settle();
    expect(late.log).toEqual(["add! a1", "update a1-2"]);
    expect(registration.hasSynced).toBe(true);
    await informer.stop();
  });

  it("a slow handler holds up nobody else, and syncs when it has seen the first list", async () => {
    const activity = createActivity();
    const { clock, fake, informer } = setUp({ runtime: testRuntime(1, { activity }) });
    for (const name of ["a", "b", "c"]) fake.put(name, 1);
    const gate = createLatch();
    const slow: string[] = [];
    const fast = recorder();
    const slowOne = informer.addHandler({
      async onAdd({ metadata }) {
        slow.push(metadata.name ?? "");
        if (metadata.name === "b") await gate.wait();
      },
    });
    const fastOne = informer.addHandler(fast);
    informer.start();
    await clock.settle();
    await fastOne.whenSynced();
    expect([slow, fast.log.length]).toEqual([["a", "b"], 3]);
    expect([informer.hasSynced, slowOne.hasSynced]).toEqual([true, false]);
    gate.open();
    await activity.settle();
    expect([slow, slowOne.hasSynced, slowOne.pending]).toEqual([["a", "b", "c"], true, 0]);
    await informer.stop();
  });

  it("a handler far behind misses states between, but not the outcome", async () => {
    const activity = createActivity();
    const { clock, fake, informer } = setUp({ runtime: testRuntime(1, { activity }) });
    const known = new Map<string, number>();
    const gate = createLatch();
    let calls = 0;
    const registration = informer.addHandler(
      {
        async onAdd({ metadata, value }) {
          await gate.wait();
          calls++;
          known.set(metadata.name ?? "", value ?? 0);
        },
        async onUpdate(_old, { metadata, value }) {
          calls++;
          known.set(metadata.name ?? "", value ?? 0);
        },
        onDelete: ({ metadata }) => void known.delete(metadata.name ?? ""),
      },
      { coalesceAbove: 10 },
    );
    fake.put("first", 0);
    informer.start();
    await clock.settle();
    for (let i = 0; i < 500; i++) {
      fake.put(`thing-${i % 7}`, i);
      if (i % 5 === 0) fake.remove(`thing-${(i + 3) % 7}`);
      await clock.settle();
    }
    const last = String(fake.revision);
    while (informer.indexer.resourceVersion !== last) await macrotask();
    expect(registration.pending).toBeLessThanOrEqual(28);
    gate.open();
    await activity.settle();
    expect(calls).toBeLessThan(30);
    const there = [...fake.content().values()].map(({ metadata, value }) => [metadata.name, value]);
    expect([...known].sort()).toEqual(there.sort());
    await informer.stop();
  });

  it("what a handler throws is reported, and the handler goes on", async () => {
    const { clock, fake, informer, errors } = setUp();
    const seen: string[] = [];
    informer.addHandler({
      onAdd({ metadata }) {
        seen.push(metadata.name ?? "");
        if (metadata.name === "a") throw new Error("broken handler");
      },
    });
    fake.put("a", 1);
    fake.put("b", 1);
    informer.start();
    await clock.settle();
    expect(seen).toEqual(["a", "b"]);
    expect(errors).toEqual(["Error: broken handler"]);
    await informer.stop();
  });

  it("a removed handler receives nothing more", async () => {
    const { clock, fake, informer } = setUp();
    const handler = recorder();
    const registration = informer.addHandler(handler);
    informer.start();
    await clock.settle();
    await registration.remove();
    fake.put("a", 1);
    await clock.settle();
    expect(handler.log).toEqual([]);
    await informer.stop();
  });

  for (const queue of ["in-order", "classic"] as const)
    it(`resyncs each handler at its own period (${queue})`, async () => {
      const { clock, fake, informer } = setUp({ queue });
      const [often, seldom, never] = [recorder(), recorder(), recorder()];
      informer.addHandler(often, { resyncMs: 10_000 });
      informer.addHandler(seldom, { resyncMs: 25_000 });
      informer.addHandler(never);
      fake.put("a", 1);
      informer.start();
      await clock.advance(55_000);
      expect([often.log.length, seldom.log.length, never.log.length]).toEqual([6, 3, 1]);
      expect(often.log.at(-1)).toBe("update a1-1");
      await informer.stop();
    });

  it("a list that brings nothing new is no update", async () => {
    const { clock, fake, informer } = setUp();
    const handler = recorder();
    informer.addHandler(handler);
    fake.put("a", 1);
    informer.start();
    await clock.settle();
    fake.compact();
    fake.watches[0]?.cut(new Error("gone"));
    fake.put("b", 1);
    fake.compact();
    await clock.advance(10_000);
    expect(handler.log).toEqual(["add! a1", "add b1"]);
    await informer.stop();
  });

  it("a deletion that was missed is delivered with finalStateUnknown", async () => {
    const { clock, fake, informer } = setUp();
    const handler = recorder();
    informer.addHandler(handler);
    fake.put("a", 1);
    informer.start();
    await clock.settle();
    fake.watches[0]?.cut(new Error("gone"));
    fake.remove("a");
    fake.compact();
    await clock.advance(10_000);
    expect(handler.log).toEqual(["add! a1", "delete? a"]);
    await informer.stop();
  });

  it("waiting for the sync of a stopped informer rejects", async () => {
    const { informer } = setUp();
    const outcome = informer.whenSynced().catch(String);
    await informer.stop();
    expect(await outcome).toContain("stopped before it had synced");
    expect(() => informer.start()).toThrow("does not start again");
  });

  it("an index that is added while it runs covers everything", async () => {
    const { clock, fake, informer } = setUp();
    fake.put("a", 1);
    fake.put("b", 2);
    informer.start();
    await clock.settle();
    informer.addIndexers({ odd: ({ value }) => [value !== undefined && value % 2 === 1 ? "odd" : "even"] });
    expect(informer.indexer.byIndex("odd", "odd").map(({ metadata }) => metadata.name)).toEqual(["a"]);
    await informer.stop();
  });

  it("finds readers that change the cache", () => {
    const found: unknown[] = [];
    const clock = createVirtualClock();
    const detector = createMutationDetector({ onMutation: ({ before }) => found.push(before), clock });
    const object = { metadata: { name: "a" }, value: 1 };
    detector.watch(object);
    detector.check();
    object.value = 2;
    detector.check();
    detector.check();
    expect(found).toEqual([{ metadata: { name: "a" }, value: 1 }]);
  });
});

describe("a filtered handler", () => {
  it("takes what begins to pass for added and what ceases to for deleted", async () => {
    const { clock, fake, informer } = setUp();
    const handler = recorder();
    informer.addHandler(filterEvents(({ value }) => (value ?? 0) > 10, handler));
    informer.start();
    fake.put("a", 1);
    fake.put("a", 11);
    fake.put("a", 12);
    fake.put("a", 2);
    await clock.settle();
    fake.put("b", 20);
    fake.remove("b");
    await clock.settle();
    expect(handler.log.slice(-2)).toEqual(["add b20", "delete b"]);
    await informer.stop();
  });
});

describe("a shared informer factory", () => {
  const things = { group: "test", version: "v1", resource: "things" };

  function factory() {
    const runtime = testRuntime(1);
    const { clock } = runtime;
    const fake = createFakeServer({ clock });
    const opened: string[] = [];
    const subject = createSharedInformerFactory({
      listerWatcher(resource, namespace) {
        opened.push(`${resource.resource} in ${namespace}`);
        return fake.listerWatcher;
      },
      namespace: "default",
      filter: { labelSelector: "app=web" },
      runtime,
    });
    return { clock, fake, opened, subject };
  }

  it("makes and starts one informer per resource, filtered", async () => {
    const { clock, fake, opened, subject } = factory();
    const first = subject.informer<Thing>(things);
    expect(subject.informer<Thing>(things)).toBe(first);
    subject.start();
    subject.start();
    await clock.settle();
    await subject.whenSynced();
    expect(opened).toEqual(["things in default"]);
    expect(fake.requests).toEqual([expect.stringContaining('"labelSelector":"app=web"')]);
    await subject.stop();
    expect(fake.watches).toEqual([]);
  });

  it("lists by namespace and selector from the cache", async () => {
    const { clock, fake, subject } = factory();
    const lister = subject.lister<Thing>(things);
    fake.put("a", 1);
    subject.start();
    await clock.settle();
    expect(lister.list()).toHaveLength(1);
    expect(lister.list(parseLabelSelector("app=web"))).toEqual([]);
    expect(lister.list(parseLabelSelector("app!=web"))).toHaveLength(1);
    expect(lister.namespace("default").list()).toHaveLength(1);
    expect(lister.namespace("other").list()).toEqual([]);
    expect(lister.namespace("default").get("a")?.value).toBe(1);
    expect(lister.get("a")).toBeUndefined();
    expect(createLister(subject.informer<Thing>(things).indexer).namespace("default").get("b")).toBeUndefined();
    await subject.stop();
  });
});
