import { createVirtualClock } from "@coxswain/runtime/clock";
import { describe, expect, it } from "vitest";
import { createQuery } from "../request/query.js";
import type { RequestContext } from "../request/request-context.js";
import { limitTime } from "./limit-time.js";

describe("the time of a request", () => {
  const run = async (query: string, afterMs: number): Promise<{ code: number | undefined; expired: boolean }> => {
    const clock = createVirtualClock();
    let expired = false;
    const context = {
      info: { verb: "get", isResource: true, subresource: "" },
      request: { query },
      query: createQuery(query),
      expire: () => (expired = true),
    } as unknown as RequestContext;
    const answer = limitTime({ clock, timeoutMs: 60_000 })(context, () => new Promise(() => {}));
    let code: number | undefined;
    void Promise.resolve(answer).then((done) => (code = done.as === "document" ? done.code : 0));
    await clock.advance(afterMs);
    await new Promise((resolve) => setImmediate(resolve));
    return { code, expired };
  };
  const cases = [
    { name: "the server's own", query: "", at: 60_000, before: 59_999 },
    { name: "less, when the client asks for it", query: "timeout=1500ms", at: 1500, before: 1499 },
    { name: "not more, whatever the client asks for", query: "timeout=1h", at: 60_000, before: 59_999 },
    { name: "zero asks for nothing", query: "timeout=0s", at: 60_000, before: 59_999 },
  ];
  for (const { name, query, at, before } of cases)
    it(name, async () => {
      expect(await run(query, before)).toEqual({ code: undefined, expired: false });
      expect(await run(query, at)).toEqual({ code: 504, expired: true });
    });
});
