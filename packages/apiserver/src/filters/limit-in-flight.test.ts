import { describe, expect, it } from "vitest";
import { textAnswer } from "../endpoints/router-errors.js";
import { Watermark } from "../metrics/watermark.js";
import type { Handler } from "../request/filter.js";
import type { RequestContext } from "../request/request-context.js";
import { limitInFlight } from "./limit-in-flight.js";

let now = 0;
const clock = { monotonic: () => now };
const kind = (limit: number) => ({ atOnce: new Watermark(clock), limit });
const request = (verb: string, groups: string[] = []): RequestContext =>
  ({
    info: { verb, isResource: true, subresource: "", path: "" },
    user: { name: "u", groups },
  }) as unknown as RequestContext;
const ok = textAnswer(200, "ok");
const never: Handler = () => new Promise(() => {});

describe("requests in flight", () => {
  const codeOf = async (filter: ReturnType<typeof limitInFlight>, context: RequestContext): Promise<number> => {
    const answer = await filter(context, () => Promise.resolve(ok));
    return answer.as === "document" ? answer.code : 0;
  };
  it("reads and writes have limits of their own; who comes too many waits a second", async () => {
    const filter = limitInFlight({ readOnly: kind(1), mutating: kind(1) });
    void filter(request("list"), never);
    const refused = await filter(request("get"), () => Promise.resolve(ok));
    expect(refused).toMatchObject({ code: 429, headers: { "retry-after": "1" } });
    expect(await codeOf(filter, request("create"))).toBe(200);
  });
  it("makes room when a request is over, also when it failed", async () => {
    const filter = limitInFlight({ readOnly: kind(1), mutating: kind(1) });
    await expect(filter(request("get"), () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await codeOf(filter, request("get"))).toBe(200);
  });
  it("watches do not count, and system:masters always gets in", async () => {
    const filter = limitInFlight({ readOnly: kind(1), mutating: kind(1) });
    void filter(request("watch"), never);
    void filter(request("get"), never);
    expect(await codeOf(filter, request("get", ["system:masters"]))).toBe(200);
    expect(await codeOf(filter, request("get"))).toBe(429);
  });
  it("the most at once is remembered for a second", () => {
    const mark = new Watermark(clock);
    mark.add(1);
    mark.add(1);
    mark.add(-2);
    now += 1000;
    expect(mark.highest).toBe(2);
    now += 1000;
    expect(mark.highest).toBe(0);
  });
});
