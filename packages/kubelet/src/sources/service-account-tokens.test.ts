import type { Client } from "@coxswain/client";
import { testRuntime } from "@coxswain/runtime";
import { describe, expect, it } from "vitest";
import { pod as makePod } from "../pod/pod.test.support.js";
import { createServiceAccountTokens, refreshTime, type TokenSpec } from "./service-account-tokens.js";

const hour = 3_600_000;

describe("when a token is replaced", () => {
  const rows = [
    { name: "after 80 % of its life", lifetime: hour, jitter: 0, at: 0.8 * hour },
    { name: "up to ten seconds earlier", lifetime: hour, jitter: 1, at: 0.8 * hour - 10_000 },
    { name: "after 24 hours at the latest", lifetime: 240 * hour, jitter: 0, at: 24 * hour },
  ];
  for (const { name, lifetime, jitter, at } of rows)
    it(name, () => expect(refreshTime(lifetime, lifetime, jitter)).toBeCloseTo(at));
});

function start() {
  const runtime = testRuntime(1);
  const due: string[] = [];
  const requests: unknown[] = [];
  const server = { isDown: false };
  const create = (
    account: string,
    body: { spec: { expirationSeconds: number; audiences: string[] } },
  ): Promise<unknown> => {
    if (server.isDown) return Promise.reject(new Error("connection refused"));
    requests.push([account, body.spec.audiences]);
    const expirationTimestamp = new Date(runtime.clock.now() + body.spec.expirationSeconds * 1000).toISOString();
    return Promise.resolve({ status: { token: `token-${requests.length}`, expirationTimestamp } });
  };
  const client = {
    core: { v1: { serviceaccounts: () => ({ subresource: () => ({ create }) }) } },
  } as unknown as Client;
  const tokens = createServiceAccountTokens({ client, runtime, onDue: (uid) => void due.push(uid) });
  return { clock: runtime.clock, tokens, due, requests, server };
}

describe("tokens of pods", () => {
  const pod = makePod({ serviceAccountName: "robot" });

  it("are asked for once until they are due, one for each audience", async () => {
    const { tokens, requests } = start();
    const get = async (spec: TokenSpec) => (await tokens.get(pod, spec)).token;
    expect([await get({}), await get({}), await get({ audience: "x" })]).toEqual(["token-1", "token-1", "token-2"]);
    expect(requests).toEqual([
      ["robot", []],
      ["robot", ["x"]],
    ]);
  });

  it("wake their pod when they are due, and are then new", async () => {
    const { tokens, clock, due } = start();
    await tokens.get(pod, {});
    await clock.advance(0.7 * hour);
    expect(due).toEqual([]);
    await clock.advance(0.1 * hour);
    expect([due, (await tokens.get(pod, {})).token]).toEqual([["u1"], "token-2"]);
  });

  it("stay in use while they are valid and the server is down, and fail after that", async () => {
    const { tokens, clock, server } = start();
    await tokens.get(pod, {});
    server.isDown = true;
    await clock.advance(0.9 * hour);
    expect((await tokens.get(pod, {})).token).toBe("token-1");
    await clock.advance(0.2 * hour);
    await expect(tokens.get(pod, {})).rejects.toThrow("expired and refresh failed: connection refused");
    await expect(tokens.get(makePod({}, { uid: "u2" }), {})).rejects.toThrow(
      "failed to fetch token: connection refused",
    );
  });

  it("of a pod that is gone wake nobody", async () => {
    const { tokens, clock, due } = start();
    await tokens.get(pod, {});
    tokens.forget("u1");
    await clock.advance(2 * hour);
    expect(due).toEqual([]);
  });
});
