import { builtInFeatureGates } from "@coxswain/api/feature-gates";
import { createFeatureGates } from "@coxswain/component/feature-gates";
import { createMetrics } from "@coxswain/component/metrics";
import { systemRuntime } from "@coxswain/runtime";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { whenAborted } from "@coxswain/runtime/lazy-signal";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CacheFeed, startCacheFeed } from "../cache/cache-feed.js";
import type { WatchSink } from "../cache/watcher.js";
import { storedKind } from "../catalogue/stored-kind.js";
import { textAnswer } from "../endpoints/router-errors.js";
import { Watermark } from "../metrics/watermark.js";
import type { Answer, WatchAnswer } from "../request/answer.js";
import { createQuery } from "../request/query.js";
import type { RequestContext } from "../request/request-context.js";
import { startApiServer } from "../server/compose/api-server.js";
import { createFairness } from "../server/compose/create-fairness.js";
import { priorityAndFairness } from "./priority-and-fairness.js";
import type { FairnessLimits } from "./request-seats.js";

const kinds = ["flowschemas", "prioritylevelconfigurations"].map((resource) =>
  storedKind("flowcontrol.apiserver.k8s.io", resource),
);

describe("a request and its seats", () => {
  let feed: CacheFeed;
  beforeAll(async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    await (await startApiServer({ runtime: systemRuntime(), store })).stop();
    feed = await startCacheFeed({ store, kinds, runtime: systemRuntime() });
  });
  afterAll(() => feed.stop());

  /** One seat for each level. */
  function setUp() {
    const clock = createVirtualClock();
    const metrics = createMetrics();
    const refused: string[] = [];
    const kind = () => ({ atOnce: new Watermark(clock), limit: 0 });
    const inFlight = {
      readOnly: kind(),
      mutating: kind(),
      onRefused: (context: RequestContext) => refused.push(context.user.name),
    };
    const { limits } = createFairness(
      { maxRequestsInFlight: 1, maxMutatingRequestsInFlight: 0 },
      { feed, gates: createFeatureGates(builtInFeatureGates), runtime: systemRuntime({ clock, metrics }) },
      inFlight,
    );
    limits?.control.refresh();
    for (const { queueSet, isExempt } of limits?.control.priorities.levels.values() ?? [])
      if (!isExempt) queueSet.configure(queueSet.config, 1);
    return { clock, metrics, refused, inFlight, filter: priorityAndFairness(limits as FairnessLimits) };
  }
  const request = (
    name: string,
    over: { verb?: string; query?: string; groups?: readonly string[]; subresource?: string } = {},
  ) => {
    const aborting = new AbortController();
    const { verb = "get", query = "", groups = ["system:authenticated"], subresource = "" } = over;
    const context = {
      info: {
        isResource: true,
        verb,
        group: "",
        resource: "configmaps",
        subresource,
        namespace: "default",
        name: "x",
        path: "",
      },
      user: { name, groups },
      query: createQuery(query),
      request: { query, whenGone: (then: () => void) => whenAborted(aborting.signal, then) },
      extraHeaders: undefined,
      onAnswered: undefined,
      queuedMs: 0,
    } as unknown as RequestContext;
    return { context, aborting };
  };
  /** A handler that answers when the test lets it. */
  function handler() {
    const running: { name: string; answer(): void }[] = [];
    const next = (context: RequestContext): Promise<Answer> =>
      new Promise((resolve) =>
        running.push({
          name: context.user.name,
          answer() {
            resolve(textAnswer(200, "ok"));
            context.onAnswered?.();
          },
        }),
      );
    return { running, names: () => running.map(({ name }) => name), next };
  }

  it("gets the UIDs of its schema and level in headers", () => {
    const { filter } = setUp();
    const { context } = request("u");
    void filter(context, handler().next);
    const uid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
    expect(context.extraHeaders).toEqual({
      "x-kubernetes-pf-flowschema-uid": expect.stringMatching(uid),
      "x-kubernetes-pf-prioritylevel-uid": expect.stringMatching(uid),
    });
  });
  it("waits while the seats are taken, and runs when the answer before it is written", async () => {
    const { filter, clock, inFlight } = setUp();
    const { next, running, names } = handler();
    const waits = request("b");
    const answers = [request("a"), waits].map(({ context }) => filter(context, next));
    expect([names(), inFlight.readOnly.atOnce.current]).toEqual([["a"], 1]);
    await clock.advance(25);
    running[0]?.answer();
    await answers[0];
    await clock.advance(0);
    expect(names()).toEqual(["a", "b"]);
    running[1]?.answer();
    expect(await answers[1]).toMatchObject({ code: 200 });
    expect(waits.context.queuedMs, "for the metrics").toBe(25);
    const place = { flowSchema: "global-default", priorityLevel: "global-default", others: 0 };
    expect(waits.context.queuedIn, "for those who ask why it was slow").toEqual(place);
    expect(inFlight.readOnly.atOnce.current).toBe(0);
  });
  it("is refused after a quarter of its time", async () => {
    const { filter, clock, refused, metrics } = setUp();
    const { next, names } = handler();
    void filter(request("a").context, next);
    const slow = filter(request("b", { query: "timeout=32s" }).context, next);
    const hasty = filter(request("c", { query: "timeout=4s" }).context, next);
    await clock.advance(1000);
    expect(refused).toEqual(["c"]);
    await clock.advance(6900);
    expect(refused).toEqual(["c"]);
    await clock.advance(100);
    expect(await slow).toMatchObject({
      code: 429,
      contentType: "text/plain; charset=utf-8",
      headers: { "retry-after": "1", "x-content-type-options": "nosniff" },
    });
    expect([await hasty, names(), refused]).toMatchObject([{ code: 429 }, ["a"], ["c", "b"]]);
    expect(metrics.text()).toContain(
      'apiserver_flowcontrol_rejected_requests_total{flow_schema="global-default",priority_level="global-default",reason="time-out"} 2',
    );
  });
  it("runs on seats that its level borrows when the time comes", async () => {
    const { filter, clock } = setUp();
    const { next, names } = handler();
    for (const name of ["a", "b", "c"]) void filter(request(name).context, next);
    await clock.advance(9_999);
    expect(names()).toEqual(["a"]);
    await clock.advance(1);
    expect(names().length).toBeGreaterThan(1);
  });
  it("leaves its queue when its client is gone", async () => {
    const { filter, clock } = setUp();
    const { next, running, names } = handler();
    void filter(request("a").context, next);
    const gone = request("b");
    const answer = filter(gone.context, next);
    gone.aborting.abort();
    expect(await answer).toMatchObject({ code: 429 });
    running[0]?.answer();
    await clock.advance(0);
    expect(names()).toEqual(["a"]);
  });
  /** A request whose handler waits for its body. */
  function awaiting(filter: ReturnType<typeof setUp>["filter"], name: string) {
    let arrive: () => void = () => {};
    const body = new Promise<void>((resolve) => (arrive = resolve));
    const one = request(name, { verb: "create", query: "timeout=4s" });
    let isHandled = false;
    const answer = filter(one.context, async () => {
      await one.context.seats?.during(body);
      isHandled = true;
      return textAnswer(201, "ok");
    });
    return { ...one, arrive, answer, isHandled: () => isHandled };
  }

  it("gives its seats back while its body does not come, and takes them again", async () => {
    const { filter, clock, inFlight } = setUp();
    const { next, names, running } = handler();
    const slow = awaiting(filter, "slow");
    void filter(request("b").context, next);
    await clock.advance(99);
    expect(names(), "a body may take a moment").toEqual([]);
    await clock.advance(1);
    expect([names(), inFlight.mutating.atOnce.current]).toEqual([["b"], 0]);
    slow.arrive();
    await clock.advance(0);
    expect(slow.isHandled(), "in line with others").toBe(false);
    running[0]?.answer();
    await clock.advance(0);
    expect([slow.isHandled(), inFlight.mutating.atOnce.current]).toEqual([true, 1]);
    slow.context.onAnswered?.();
    void filter(request("c").context, next);
    expect([names(), inFlight.mutating.atOnce.current]).toEqual([["b", "c"], 0]);
  });
  it("is refused where its seats cannot be had again when its body has come", async () => {
    const { filter, clock, refused } = setUp();
    const { next } = handler();
    const slow = awaiting(filter, "slow");
    void filter(request("b").context, next);
    await clock.advance(100);
    slow.arrive();
    const outcome = (slow.answer as Promise<Answer>).catch((err: unknown) => err);
    await clock.advance(1000);
    expect(await outcome).toMatchObject({ status: { code: 429, reason: "TooManyRequests" } });
    expect(refused).toEqual(["slow"]);
  });
  it("takes no seats any more when its body comes after its answer", async () => {
    const { filter, clock, inFlight } = setUp();
    const slow = awaiting(filter, "slow");
    await clock.advance(100);
    slow.context.onAnswered?.();
    slow.arrive();
    await slow.answer;
    const { next, names } = handler();
    void filter(request("b").context, next);
    expect([names(), inFlight.mutating.atOnce.current]).toEqual([["b"], 0]);
  });
  it("an administrator's does not wait, and neither does one that lasts", () => {
    const { filter } = setUp();
    const { next, names } = handler();
    for (const [name, over] of [
      ["a", {}],
      ["admin", { groups: ["system:masters"] }],
      ["execs", { subresource: "exec" }],
      ["waits", {}],
    ] as const)
      void filter(request(name, over).context, next);
    expect(names()).toEqual(["a", "admin", "execs"]);
  });
  it("a watch gives its seats back when its client has taken what it begins with", async () => {
    const { filter, clock } = setUp();
    let drain: () => void = () => {};
    const sink: WatchSink = {
      deliver: () => new Promise((resolve) => (drain = resolve)),
      bookmark: () => {},
      end: () => {},
    };
    const answer = {
      as: "watch",
      open(given: WatchSink) {
        void given.deliver([]);
        return { stop: () => given.end("stopped") };
      },
    } as unknown as WatchAnswer;
    const opened = (await filter(request("watches", { verb: "watch" }).context, () =>
      Promise.resolve(answer),
    )) as WatchAnswer;
    const { next, names } = handler();
    void filter(request("a").context, next);
    opened.open(sink);
    await clock.advance(0);
    expect(names()).toEqual([]);
    drain();
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(names()).toEqual(["a"]);
  });
});
