import { describe, expect, it } from "vitest";
import { createQuery } from "../../request/query.js";
import type { RequestContext } from "../../request/request-context.js";
import { createHealth, type HealthCheck } from "./health.js";
import { serverHealthChecks } from "./health-checks.js";
import { createStartHooks } from "./start-hooks.js";

const ask = async (path: string, query: string, store?: string, more: readonly HealthCheck[] = []) => {
  const source = createHealth(
    serverHealthChecks({ store: () => store, isShuttingDown: () => false, hooks: createStartHooks([]), more }),
  );
  const answer = await source({ info: { path }, query: createQuery(query) } as RequestContext);
  return answer?.as === "document" ? { code: answer.code, text: new TextDecoder().decode(answer.bytes) } : undefined;
};

describe("health", () => {
  it("a failing check fails the whole, and reports its reason only on its own path", async () => {
    const all = await ask("/readyz", "", "disk gone");
    expect(all?.code).toBe(500);
    expect(all?.text).toContain("[-]etcd failed: reason withheld\n");
    expect(all?.text.endsWith("readyz check failed\n")).toBe(true);
    expect(await ask("/livez/etcd", "", "disk gone")).toEqual({
      code: 500,
      text: "internal server error: disk gone\n",
    });
  });
  it("what is excluded does not count", async () => {
    expect(await ask("/livez", "exclude=etcd", "disk gone")).toEqual({ code: 200, text: "ok" });
  });
  it("further conditions are asked for being ready, not for being alive", async () => {
    const more = [{ name: "kms-providers", check: () => Promise.resolve("no key") }];
    const readyz = await ask("/readyz", "", undefined, more);
    expect(readyz?.code).toBe(500);
    expect(readyz?.text).toContain("[+]etcd-readiness ok\n[-]kms-providers failed: reason withheld\n");
    expect((await ask("/healthz", "", undefined, more))?.code).toBe(500);
    expect(await ask("/livez", "", undefined, more)).toEqual({ code: 200, text: "ok" });
    expect(await ask("/readyz/kms-providers", "", undefined, more)).toEqual({
      code: 500,
      text: "internal server error: no key\n",
    });
  });
  it("there is no path for a check that is not there", async () =>
    expect(await ask("/livez/shutdown", "")).toBeUndefined());
});
