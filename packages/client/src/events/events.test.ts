import type { Event as CoreEvent } from "@coxswain/api/core/v1";
import type { Event as SeriesEvent } from "@coxswain/api/events/v1";
import { forbidden, notFound } from "@coxswain/apimachinery/status";
import { testRuntime } from "@coxswain/runtime";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { describe, expect, it } from "vitest";
import { createEventNames } from "./event-name.js";
import { createEventBroadcaster, createSeriesEventBroadcaster, type EventSink, referenceTo } from "./index.js";

const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace: "shop", uid: "u1", resourceVersion: "7" },
};
const resource = { group: "", resource: "events" };

/** Stores events, and writes down what is asked of it. */
function createSink<E extends { metadata?: { name?: string }; count?: number }>() {
  const log: string[] = [];
  const stored = new Map<string, E>();
  let failure: (() => Error) | undefined;
  const check = (): void => {
    if (failure !== undefined) throw failure();
  };
  const sink: EventSink<E> = {
    async create(event) {
      log.push("create");
      check();
      stored.set(event.metadata?.name ?? "", event);
      return { ...event, metadata: { ...event.metadata, resourceVersion: String(log.length) } };
    },
    async patch(event, patch) {
      log.push(`patch ${JSON.stringify(patch)}`);
      check();
      const name = event.metadata?.name ?? "";
      const before = stored.get(name);
      if (before === undefined) throw notFound(resource, name);
      stored.set(name, { ...before, ...patch });
      return stored.get(name) as E;
    },
  };
  return { sink, log, stored, fail: (with_?: () => Error) => (failure = with_) };
}

function core() {
  const runtime = testRuntime(1, { clock: createVirtualClock({ startMs: Date.UTC(2026, 0, 1) }) });
  const server = createSink<CoreEvent>();
  const errors: string[] = [];
  const broadcaster = createEventBroadcaster({
    sink: server.sink,
    runtime,
    onError: (error) => errors.push(String(error)),
  });
  const recorder = broadcaster.recorder({ component: "tester", host: "node-1" });
  const record = (message: string, reason = "Tested"): void => recorder.event(pod, { type: "Normal", reason, message });
  return { clock: runtime.clock, ...server, errors, broadcaster, recorder, record };
}

describe("events of core/v1", () => {
  it("are made as upstream makes them", async () => {
    const { clock, stored, record } = core();
    record("hello");
    await clock.settle();
    expect([...stored.values()]).toEqual([
      {
        metadata: { name: expect.stringMatching(/^web\.1886[0-9a-f]{12}$/), namespace: "shop" },
        involvedObject: {
          kind: "Pod",
          apiVersion: "v1",
          name: "web",
          namespace: "shop",
          uid: "u1",
          resourceVersion: "7",
        },
        reason: "Tested",
        message: "hello",
        source: { component: "tester", host: "node-1" },
        firstTimestamp: "2026-01-01T00:00:00Z",
        lastTimestamp: "2026-01-01T00:00:00Z",
        count: 1,
        type: "Normal",
        reportingComponent: "tester",
        reportingInstance: "node-1",
      },
    ]);
  });

  it("equal ones are counted in one", async () => {
    const { clock, log, record } = core();
    record("hello");
    await clock.advance(60_000);
    record("hello");
    await clock.advance(60_000);
    record("hello");
    await clock.settle();
    expect(log).toEqual([
      "create",
      'patch {"count":2,"lastTimestamp":"2026-01-01T00:01:00Z","message":"hello"}',
      'patch {"count":3,"lastTimestamp":"2026-01-01T00:02:00Z","message":"hello"}',
    ]);
  });

  it("an equal one is created anew when the first has expired", async () => {
    const { clock, log, stored, record } = core();
    record("hello");
    await clock.settle();
    stored.clear();
    record("hello");
    await clock.settle();
    expect(log.at(-1)).toBe("create");
    expect([...stored.values()][0]?.count).toBe(2);
  });

  it("from the tenth on, similar ones are combined", async () => {
    const { clock, log, stored, record } = core();
    for (let i = 1; i <= 12; i++) record(`try ${i}`);
    await clock.settle();
    expect(log.filter((line) => line === "create")).toHaveLength(10);
    const combined = [...stored.values()].at(-1);
    expect(combined).toMatchObject({ message: "(combined from similar events): try 12", count: 3 });
  });

  it("similar ones further apart than ten minutes are not combined", async () => {
    const { clock, stored, record } = core();
    for (let i = 1; i <= 12; i++) {
      record(`try ${i}`);
      await clock.advance(601_000);
    }
    expect([...stored.values()].every(({ message }) => !message?.startsWith("(combined"))).toBe(true);
  });

  it("after 25 at once about one object only one in five minutes is sent", async () => {
    const { clock, log, record } = core();
    for (let i = 0; i < 40; i++) record("hello", `Reason${i % 20}`);
    await clock.settle();
    expect(log).toHaveLength(25);
    await clock.advance(300_001);
    record("hello");
    record("hello again");
    await clock.settle();
    expect(log).toHaveLength(26);
  });

  it("are sent again when nobody answered, and dropped when the server refused", async () => {
    const { clock, log, fail, errors, record } = core();
    fail(() => new Error("ECONNREFUSED"));
    record("hello");
    await clock.advance(25_000);
    expect(log.length).toBeGreaterThan(1);
    fail();
    await clock.advance(10_000);
    const sent = log.length;
    await clock.advance(60_000);
    expect(log).toHaveLength(sent);
    fail(() => forbidden(resource, "x", "no"));
    record("other");
    await clock.advance(60_000);
    expect(log).toHaveLength(sent + 1);
    expect(errors.at(-1)).toContain("forbidden");
  });

  it("are given up after twelve tries, and those behind get their turn", async () => {
    const { clock, log, fail, errors, record } = core();
    fail(() => new Error("ECONNREFUSED"));
    record("hello");
    record("world");
    await clock.advance(101_000);
    expect(log.length).toBeLessThanOrEqual(12);
    await clock.advance(10_000);
    expect(log.length).toBeGreaterThanOrEqual(13);
    expect(errors).toContain("Error: an event was given up after 12 tries");
  });

  it("an object without kind and apiVersion is reported as an error and nothing is thrown", () => {
    const { errors, recorder } = core();
    recorder.event({ metadata: { name: "web" } }, { type: "Normal", reason: "Tested", message: "x" });
    expect(errors).toEqual(["Error: no reference can be made to web: kind and apiVersion are missing"]);
  });

  it("can be watched, and stopped", async () => {
    const { broadcaster, record, clock, log } = core();
    const seen: (string | undefined)[] = [];
    const end = broadcaster.subscribe(({ message }) => seen.push(message));
    record("one");
    end();
    record("two");
    await broadcaster.flush();
    await broadcaster.stop();
    record("three");
    await clock.settle();
    expect(seen).toEqual(["one"]);
    expect(log).toHaveLength(2);
  });
});

describe("events of events.k8s.io/v1", () => {
  function series() {
    const runtime = testRuntime(1, { clock: createVirtualClock({ startMs: Date.UTC(2026, 0, 1) }) });
    const server = createSink<SeriesEvent>();
    const broadcaster = createSeriesEventBroadcaster({
      sink: server.sink,
      runtime,
      onError(error) {
        throw error;
      },
    });
    const recorder = broadcaster.recorder({ reportingController: "tester", reportingInstance: "tester-1" });
    const record = (note: string): void =>
      recorder.event(pod, { type: "Normal", reason: "Tested", action: "Test", note });
    return { clock: runtime.clock, ...server, broadcaster, record };
  }

  it("a second occurrence starts a series, later ones are only counted until it ends", async () => {
    const { clock, log, stored, record } = series();
    record("a");
    for (let i = 0; i < 50; i++) {
      await clock.advance(1000);
      record("b");
    }
    expect(log).toEqual(["create", 'patch {"series":{"count":2,"lastObservedTime":"2026-01-01T00:00:01.000000Z"}}']);
    await clock.advance(15 * 60_000);
    expect(log).toHaveLength(3);
    expect([...stored.values()][0]).toMatchObject({ note: "a", series: { count: 51 } });
    expect(clock.nextTimer).toBeUndefined();
  });

  it("a series that lasts is written every half hour", async () => {
    const { clock, log, record, broadcaster } = series();
    for (let minute = 0; minute < 65; minute++) {
      record("a");
      await clock.advance(60_000);
    }
    expect(log).toHaveLength(4);
    await broadcaster.stop();
    expect(clock.nextTimer).toBeUndefined();
  });

  it("a single event is forgotten without a further write", async () => {
    const { clock, log, record } = series();
    record("a");
    await clock.advance(20 * 60_000);
    record("a");
    await clock.settle();
    expect(log).toEqual(["create", "create"]);
  });
});

describe("names of events", () => {
  it("differ between two recorders and within one, all in one millisecond", () => {
    const sources = [createEventNames(testRuntime(1)), createEventNames(testRuntime(2))];
    const names = sources.flatMap((name) => Array.from({ length: 100 }, () => name("web")));
    expect(new Set(names).size).toBe(200);
  });
  it("are UUIDs where the object's name cannot be part of one", () =>
    expect(createEventNames(testRuntime(1))("system:Node")).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    ));
});

describe("references", () => {
  it("of an object without a namespace", () =>
    expect(referenceTo({ apiVersion: "v1", kind: "Node", metadata: { name: "n" } })).toEqual({
      apiVersion: "v1",
      kind: "Node",
      name: "n",
    }));
  it("of a reference are the reference", () =>
    expect(referenceTo({ apiVersion: "v1", kind: "Pod", name: "p", fieldPath: "spec" })).toEqual({
      apiVersion: "v1",
      kind: "Pod",
      name: "p",
      fieldPath: "spec",
    }));
});
