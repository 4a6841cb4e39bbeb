import { describe, expect, it } from "vitest";
import { compareSnapshots } from "../nodes/index.js";
import { moments, planUpKill, victims } from "./plan-up-kills.js";

describe("kills of up", () => {
  it("are the same for the same seed", () => expect(planUpKill(7)).toEqual(planUpKill(7)));

  it("meet every victim at every moment within fifteen seeds", () => {
    const met = new Set(
      Array.from({ length: 15 }, (_, seed) => planUpKill(seed)).map((kill) => `${kill.moment} ${kill.victim}`),
    );
    expect(met.size).toBe(moments.length * victims.length);
  });
});

it("what is left behind and what is missing is named", () =>
  expect(compareSnapshots({ links: ["lo", "eth0"], routes: [] }, { links: ["lo", "cxs-1"], routes: [] })).toEqual([
    "links: left behind: cxs-1",
    "links: missing: eth0",
  ]));
