import { describe, expect, it } from "vitest";
import { median } from "./median.js";
import type { Figure } from "./rows/row.js";
import { formatLine, formatTable, isMet } from "./table.js";

const more: Figure = { what: "creates", unit: "per s", better: "more", budget: 5 };
const less: Figure = { what: "start", unit: "ms", better: "less", budget: 1 / 4 };

describe("the bench's table", () => {
  it("shows both servers, the ratio, the budget and whether it is met", () => {
    const lines = [
      { figure: more, upstream: 1_430, ours: 9_001.4 },
      { figure: less, upstream: 1_500, ours: 500 },
      { figure: less, upstream: 4.25, ours: "not yet" as const },
      { figure: less, upstream: undefined, ours: 3, load: { average: 2.04, others: 0.31 } },
    ];
    expect(formatTable(lines).split("\n")).toEqual([
      "what        upstream         ours  ratio  budget          load / others",
      "-------  -----------  -----------  -----  ------  ------  -------------",
      "creates  1,430 per s  9,001 per s  6.3 x   > 5 x     met",
      "start       1,500 ms       500 ms    1/3   < 1/4  missed",
      "start         4.3 ms      not yet          < 1/4",
      "start              -       3.0 ms          < 1/4              2.0 / 0.3",
    ]);
  });

  it("a long time is shown in seconds, a limit in the figure's own unit", () => {
    const figure: Figure = { what: "pods", unit: "ms", better: "less", budget: 600_000, budgetOf: "ours" };
    expect(formatLine({ figure, ours: 13_600 })).toEqual(["pods", "-", "13.6 s", "", "ours < 600,000 ms", "met", ""]);
  });

  it("some figures are compared with a limit, not with upstream", () => {
    const figure: Figure = { what: "by quiet", unit: "times", better: "less", budget: 3, budgetOf: "ours" };
    expect([isMet({ figure, upstream: undefined, ours: 2.9 }), isMet({ figure, upstream: 100, ours: 3.1 })]).toEqual([
      true,
      false,
    ]);
    expect(
      formatTable([{ figure, upstream: 100, ours: 2 }])
        .split("\n")
        .at(-1),
    ).toBe("by quiet  100 times  2.0 times   1/50  ours < 3 times  met");
  });

  it("does not call a figure met that could not be compared", () => {
    expect(isMet({ figure: more, upstream: undefined, ours: 10 })).toBeUndefined();
  });
});

describe("median", () => {
  const cases = [
    { name: "of an odd number is the middle one", values: [5, 1, 3], want: 3 },
    { name: "of an even number lies between the middle two", values: [4, 1, 3, 2], want: 2.5 },
    { name: "with something missing is missing", values: [1, "not yet" as const], want: "not yet" },
    { name: "of nothing is nothing", values: [], want: undefined },
  ];
  for (const c of cases) it(c.name, () => expect(median(c.values)).toBe(c.want));
});
