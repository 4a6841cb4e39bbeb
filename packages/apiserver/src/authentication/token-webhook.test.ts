import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createMetrics } from "@coxswain/component/metrics";
import { systemRuntime } from "@coxswain/runtime";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTokenCacheMetrics } from "./token-cache-metrics.js";
import { createTokenWebhook } from "./token-webhook.js";

describe("a webhook that knows tokens", () => {
  let asked: { apiVersion: string; spec: object }[] = [];
  let answers: (object | number)[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      asked.push(JSON.parse(body) as (typeof asked)[number]);
      const answer = answers.shift() ?? 418;
      response.writeHead(typeof answer === "number" ? answer : 201).end(JSON.stringify({ status: answer }));
    });
  });
  const clock = createVirtualClock();
  let url = "";
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ask`;
  });
  beforeEach(() => {
    asked = [];
    answers = [];
  });
  afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));

  const webhook = (version: "v1" | "v1beta1" = "v1", metrics = createMetrics()) =>
    createTokenWebhook({ connection: { server: url, insecure: false }, version, cacheMs: 1000 }, ["api"], {
      runtime: systemRuntime({ ioClock: clock }),
      cacheMetrics: createTokenCacheMetrics(metrics, clock),
    });
  const question = { audiences: ["api"], warn: () => {}, annotate: () => {} };

  for (const version of ["v1", "v1beta1"] as const) {
    it(`is asked by a TokenReview of ${version}`, async () => {
      answers = [{ authenticated: true, user: { username: "jane", uid: "1", groups: ["g"], extra: { a: ["b"] } } }];
      const { authenticate, stop } = webhook(version);
      expect(await authenticate("secret", question)).toEqual({
        user: { name: "jane", uid: "1", groups: ["g"], extra: { a: ["b"] } },
        audiences: ["api"],
      });
      expect(asked).toEqual([
        expect.objectContaining({
          kind: "TokenReview",
          apiVersion: `authentication.k8s.io/${version}`,
          spec: { token: "secret", audiences: ["api"] },
        }),
      ]);
      stop();
    });
  }

  it("is not asked again for a while, whatever it answered", async () => {
    answers = [{ authenticated: true, user: { username: "jane" } }, { authenticated: false }, { authenticated: false }];
    const metrics = createMetrics();
    const { authenticate, stop } = webhook("v1", metrics);
    const both = await Promise.all([authenticate("a", question), authenticate("a", question)]);
    expect(both).toEqual([
      { user: { name: "jane", groups: [] }, audiences: ["api"] },
      { user: { name: "jane", groups: [] }, audiences: ["api"] },
    ]);
    await clock.advance(999);
    expect(await authenticate("a", question)).toMatchObject({ user: { name: "jane" } });
    expect(asked.length).toBe(1);
    await clock.advance(1);
    expect(await authenticate("a", question)).toBeUndefined();
    expect(await authenticate("a", question)).toBeUndefined();
    expect(asked.length).toBe(2);
    stop();
    const counted = [
      ...(await metrics.text()).matchAll(/^authentication_token_cache_(\w+){status="(\w+)"} (\d+)$/gm),
    ].map(([, name, status, count]) => `${name} ${status} ${count}`);
    expect(counted).toEqual([
      "active_fetch_count blocked 0",
      "active_fetch_count in_flight 0",
      "fetch_total ok 2",
      "request_duration_seconds_sum hit 0",
      "request_duration_seconds_count hit 2",
      "request_duration_seconds_sum miss 0",
      "request_duration_seconds_count miss 3",
      "request_total hit 2",
      "request_total miss 3",
    ]);
  });

  it("may give a reason for a refusal, which is not kept", async () => {
    answers = [
      { authenticated: false, error: "busy" },
      { authenticated: true, user: { username: "jane" } },
    ];
    const { authenticate, stop } = webhook();
    expect(await authenticate("a", question)).toEqual({ error: "busy" });
    expect(await authenticate("a", question)).toMatchObject({ user: { name: "jane" } });
    stop();
  });

  it("that fails is an error", async () => {
    answers = [400];
    const { authenticate, stop } = webhook();
    expect(await authenticate("a", question)).toEqual({
      error: "the server rejected our request for an unknown reason",
    });
    stop();
  });

  it("may answer that a token is for another audience", async () => {
    answers = [{ authenticated: true, user: { username: "jane" }, audiences: ["other"] }];
    const { authenticate, stop } = webhook();
    expect(await authenticate("a", question)).toBeUndefined();
    stop();
  });
});
