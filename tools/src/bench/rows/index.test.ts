import { describe, expect, it } from "vitest";
import { rows, selectRows } from "./index.js";

const names = (...wanted: string[]): string[] => selectRows(wanted).map(({ name }) => name);

describe("the rows of the bench", () => {
  it("are all but the long ones when none is named", () => {
    expect(names()).toEqual(rows.filter(({ isLong }) => isLong !== true).map(({ name }) => name));
  });

  const cases = [
    { name: "are those that are named, in their own order", wanted: ["get", "start"], rows: ["start", "get"] },
    { name: "are named by the beginning of their names", wanted: ["memory"], rows: ["memory-idle", "memory-after"] },
    { name: "are long only where they are named in full", wanted: ["cluster-large"], rows: ["cluster-large"] },
  ];
  for (const { name, wanted, rows: selected } of cases) it(name, () => expect(names(...wanted)).toEqual(selected));

  it("are not long ones by the beginning of their names", () => {
    expect(names("cluster")).not.toContain("cluster-hold");
  });

  it("that are unknown are an error", () => {
    expect(() => names("speed")).toThrow("unknown rows speed");
  });

  it("have names and figures of their own", () => {
    const all = rows.flatMap(({ topic, figures }) => figures.map(({ what }) => `${topic}: ${what}`));
    expect(new Set(all).size).toBe(all.length);
  });
});
