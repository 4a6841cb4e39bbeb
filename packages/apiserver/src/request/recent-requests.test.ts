import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { Latencies } from "./latencies.js";
import { createRecentRequests, describeTimes, type RecentRequest, type RecentRequests } from "./recent-requests.js";
import type { RequestContext } from "./request-context.js";

const add = (requests: RecentRequests, auditId: string, path: string, latencies?: Latencies): void =>
  requests.add(
    {
      auditId,
      user: { name: "ann" },
      info: { verb: "get" },
      request: { path, query: "" },
      latencies,
    } as RequestContext,
    { code: 200, ms: 1 },
  );

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

describe("the last requests", () => {
  it("keep nothing of a long address or audit id but its beginning", () => {
    const requests = createRecentRequests(200);
    const addLong = (at: number): void => {
      const url = `/path-${at}?${"x".repeat(100_000)}`;
      Buffer.from(url); // V8 has it in one piece now, as a server has what was sent
      const id = `${url}-id`;
      Buffer.from(id);
      requests.add(
        {
          auditId: id,
          user: { name: "ann" },
          info: { verb: "get" },
          request: { path: url.slice(0, url.indexOf("?")).padEnd(20, "/"), query: url.slice(url.indexOf("?") + 1) },
        } as RequestContext,
        { code: 200, ms: 1 },
      );
    };
    addLong(0);
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let at = 1; at <= 200; at++) addLong(at);
    collect();
    expect((process.memoryUsage().heapUsed - before) / 1e6).toBeLessThan(5);
    expect(requests.find(`/path-200?${"x".repeat(600)}`)?.path).toMatch(/^\/path-200/);
  });

  it("are found by their audit ids, the oldest not any more", () => {
    const requests = createRecentRequests(2);
    for (const id of ["a", "b", "c"]) add(requests, id, `/${id}`);
    expect(["a", "b", "c"].map((id) => requests.find(id)?.path)).toEqual([undefined, "/b", "/c"]);
  });

  it("of one audit id the newest is found, also after older ones went", () => {
    const requests = createRecentRequests(2);
    for (const path of ["/1", "/2", "/3"]) add(requests, "same", path);
    expect(requests.find("same")?.path).toBe("/3");
  });

  it("keeps little of what a client may make long", () => {
    const requests = createRecentRequests(2);
    const long = "x".repeat(10_000);
    add(requests, long, `/${long}`);
    expect(requests.find(long)).toMatchObject({ auditId: long.slice(0, 512), path: `/${long}`.slice(0, 512) });
  });
});

const recent = (more: Partial<RecentRequest>): RecentRequest => ({
  auditId: "a",
  user: "ann",
  verb: "create",
  path: "/",
  code: 201,
  ms: 4100,
  spent: undefined,
  parts: undefined,
  queuedMs: 0,
  queuedIn: undefined,
  ...more,
});
const queuedIn = { flowSchema: "service-accounts", priorityLevel: "workload-low", others: 12 };

describe("where the time of a request went", () => {
  const cases: readonly { name: string; of: Partial<RecentRequest>; namesFlows?: boolean; text: string }[] = [
    { name: "nothing was measured", of: {}, text: "4.1s" },
    {
      name: "the longest comes first, and webhooks are named",
      of: {
        spent: [
          ["etcd", 50],
          ["mutating-webhook", 100.4],
          ["validating-webhook", 3900],
        ],
        parts: [
          { layer: "mutating-webhook", name: "set.shop", ms: 100.4 },
          { layer: "validating-webhook", name: "quick.shop", ms: 7.25 },
          { layer: "validating-webhook", name: "check.shop", ms: 3900 },
        ],
      },
      text: "4.1s: 3.9s validating webhooks (quick.shop 7.3ms, check.shop 3.9s), 100ms mutating webhooks (set.shop 100ms), 50ms store",
    },
    {
      name: "a wait is known of requests that are not measured, too",
      of: { queuedMs: 3900, queuedIn },
      text: "4.1s: 3.9s waited for a seat (flow schema service-accounts, priority level workload-low, 12 others waiting)",
    },
    {
      name: "a wait counts once",
      of: { queuedMs: 3900, queuedIn: { ...queuedIn, others: 1 }, spent: [["apf-queue-wait", 3900]] },
      text: "4.1s: 3.9s waited for a seat (flow schema service-accounts, priority level workload-low, 1 other waiting)",
    },
    {
      name: "names of flows are for those who may read them",
      of: { queuedMs: 3900, queuedIn },
      namesFlows: false,
      text: "4.1s: 3.9s waited for a seat",
    },
    {
      name: "a request that was refused at once",
      of: { code: 429, ms: 0.2, queuedIn },
      text: "200µs: no seat was free (flow schema service-accounts, priority level workload-low, 12 others waiting)",
    },
  ];
  for (const { name, of, namesFlows = true, text } of cases)
    it(name, () => expect(describeTimes(recent(of), { namesFlows })).toBe(text));

  it("does not grow after the answer", () => {
    let now = 0;
    const latencies = new Latencies();
    latencies.beginLast("serialize-response-object", { monotonic: () => now });
    const requests = createRecentRequests();
    now = 3;
    add(requests, "a", "/", latencies);
    now = 60_000;
    expect(requests.find("a")?.spent).toEqual([["serialize-response-object", 3]]);
  });
});
