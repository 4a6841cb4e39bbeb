import { describe, expect, it } from "vitest";
import { createRecentRequests, type RecentRequests } from "./recent-requests.js";
import type { RequestContext } from "./request-context.js";

const add = (requests: RecentRequests, auditId: string, path: string): void =>
  requests.add(
    {
      auditId,
      user: { name: "ann" },
      info: { verb: "get" },
      request: { path },
      latencies: undefined,
    } as RequestContext,
    { code: 200, ms: 1 },
  );

describe("the last requests", () => {
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
