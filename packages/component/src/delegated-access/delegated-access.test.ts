import { createActivity } from "@coxswain/runtime/activity";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { expect, it } from "vitest";
import { createDelegatedAccess } from "./delegated-access.js";
import type { SubjectAccess } from "./reviews.js";

function startAccess() {
  const clock = createVirtualClock({ startMs: 0, activity: createActivity() });
  const asked: { tokens: string[]; accesses: SubjectAccess[]; fails: boolean } = {
    tokens: [],
    accesses: [],
    fails: false,
  };
  const access = createDelegatedAccess({
    authentication: {
      authentication: {
        v1: {
          tokenreviews: () => ({
            async create({ spec }) {
              asked.tokens.push(spec.token);
              if (asked.fails) throw new Error("the server is away");
              return { status: { authenticated: spec.token === "good", user: { username: "ann", groups: ["a"] } } };
            },
          }),
        },
      },
    },
    authorization: {
      authorization: {
        v1: {
          subjectaccessreviews: () => ({
            async create({ spec }) {
              asked.accesses.push(spec);
              return { status: { allowed: spec.resourceAttributes?.subresource === "metrics" } };
            },
          }),
        },
      },
    },
    acceptsAnonymous: false,
    alwaysAllowGroups: ["trusted"],
    remembered: { tokensMs: 120_000, allowedMs: 300_000, deniedMs: 30_000 },
    clock,
  });
  return { access, asked, clock };
}
const ann = { username: "ann", groups: ["a", "system:authenticated"] };
const metrics = { kind: "resource", verb: "get", resource: "nodes", subresource: "metrics", name: "node-0" } as const;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

it("what the API server found of a token counts for its time, whether it was known or not", async () => {
  const { access, asked, clock } = startAccess();
  for (let time = 0; time < 3; time++) {
    expect(await access.authenticate(bearer("good"))).toEqual(ann);
    expect(await access.authenticate(bearer("bad"))).toBeUndefined();
  }
  expect(asked.tokens).toEqual(["good", "bad"]);
  await clock.advance(120_001);
  expect(await access.authenticate(bearer("good"))).toEqual(ann);
  expect(asked.tokens).toEqual(["good", "bad", "good"]);
});

it("a review that failed is not remembered", async () => {
  const { access, asked } = startAccess();
  asked.fails = true;
  await expect(access.authenticate(bearer("good"))).rejects.toThrow("the server is away");
  asked.fails = false;
  expect(await access.authenticate(bearer("good"))).toEqual(ann);
});

it("without credentials nobody is authenticated", async () => {
  const { access, asked } = startAccess();
  expect(await access.authenticate({})).toBeUndefined();
  expect(await access.authenticate({ authorization: "Basic YTpi" })).toBeUndefined();
  expect(asked.tokens).toEqual([]);
});

it("decisions are asked for by resource, and what is allowed counts for longer than what is not", async () => {
  const { access, asked, clock } = startAccess();
  const stats = { ...metrics, subresource: "stats" };
  for (let time = 0; time < 2; time++) {
    expect(await access.authorize(ann, metrics)).toBe(true);
    expect(await access.authorize(ann, stats)).toBe(false);
  }
  expect(asked.accesses).toHaveLength(2);
  expect(asked.accesses[0]).toEqual({
    user: "ann",
    groups: ["a", "system:authenticated"],
    resourceAttributes: { verb: "get", version: "v1", resource: "nodes", subresource: "metrics", name: "node-0" },
  });
  await clock.advance(30_001);
  await access.authorize(ann, metrics);
  await access.authorize(ann, stats);
  expect(asked.accesses).toHaveLength(3);
  await clock.advance(300_001);
  await access.authorize(ann, metrics);
  expect(asked.accesses).toHaveLength(4);
});

it("members of groups that are always allowed are not asked about", async () => {
  const { access, asked } = startAccess();
  expect(await access.authorize({ username: "root", groups: ["trusted"] }, { ...metrics, subresource: "proxy" })).toBe(
    true,
  );
  expect(asked.accesses).toEqual([]);
});

it("no more than a thousand answers are remembered", async () => {
  const { access, asked } = startAccess();
  for (let at = 0; at < 1001; at++) await access.authenticate(bearer(`token-${at}`));
  await access.authenticate(bearer("token-1000"));
  expect(asked.tokens).toHaveLength(1001);
  await access.authenticate(bearer("token-0"));
  expect(asked.tokens).toHaveLength(1002);
});
