import { expect, it } from "vitest";
import { claimRange } from "./claim-range.js";

const ranges = ["127.132.0.0/16", "127.133.0.0/16"];

it.runIf(process.platform === "linux")(
  "clusters side by side have ranges of their own, and give them back",
  async () => {
    const [first, second, third] = [await claimRange(ranges), await claimRange(ranges), await claimRange(ranges)];
    expect([first.range, second.range]).toEqual(ranges);
    expect(third.range, "none is left").toBe(ranges[0]);
    await first.release();
    const again = await claimRange(ranges);
    expect(again.range).toBe(ranges[0]);
    for (const claim of [again, second, third]) await claim.release();
  },
);
