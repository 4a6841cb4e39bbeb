import { describe, expect, it } from "vitest";
import { compileFilter, numberIn, spanOf } from "./filter.js";

const columns = ["Name", "Ready", "Status", "Restarts", "Node", "Up-to-date", "Capacity"];
const now = 1_000_000_000;
const row = (
  status: string,
  more: Partial<{ name: string; node: string; restarts: string; ageMs: number; labels: Record<string, string> }> = {},
) => ({
  namespace: "shop",
  name: more.name ?? "web-1",
  cells: [more.name ?? "web-1", "1/1", status, more.restarts ?? "0", more.node ?? "node-7", "3", "10Gi"],
  created: now - (more.ageMs ?? 0),
  labels: more.labels,
});
const matches = (filter: string, given = row("Running")): boolean =>
  compileFilter(filter, columns, () => now).matches(given);

describe("the filter language", () => {
  const cases: readonly (readonly [filter: string, given: ReturnType<typeof row>, isFound: boolean])[] = [
    ["", row("Running"), true],
    ["WEB", row("Running"), true],
    ["nginx", row("Running"), false],
    ["shop", row("Running"), true],
    ["status=Failed", row("Failed"), true],
    ["status=failed", row("Running"), false],
    ["status=Failed,Error", row("Error"), true],
    ["status!=Running", row("Running"), false],
    ["-status=Running", row("Failed"), true],
    ["-web", row("Running"), false],
    ["status=", row("Running"), true],
    ["node=node-7 status=Running", row("Running"), true],
    ["node=node-7 status=Failed", row("Running"), false],
    ["restarts>3", row("Running", { restarts: "12 (5m ago)" }), true],
    ["restarts>3", row("Running", { restarts: "3" }), false],
    ["restarts>=3", row("Running", { restarts: "3" }), true],
    ["capacity>5Gi", row("Running"), true],
    ["capacity<500Mi", row("Running"), false],
    ["uptodate=3", row("Running"), true],
    ["up-to-date<3", row("Running"), false],
    ["age<1h", row("Running", { ageMs: 60_000 }), true],
    ["age<1h", row("Running", { ageMs: 7_200_000 }), false],
    ["age>1h30m", row("Running", { ageMs: 7_200_000 }), true],
    ["ready:1/", row("Running"), true],
    ["ns=shop", row("Running"), true],
    ["label:app=web", row("Running", { labels: { app: "web" } }), true],
    ["label:app=web", row("Running"), false],
    ["label:app", row("Running", { labels: { app: "x" } }), true],
    ["label:constructor", row("Running", { labels: {} }), false],
    ['"web-1 x"', row("Running"), false],
    ['status="running"', row("Running"), true],
  ];
  for (const [filter, given, isFound] of cases)
    it(`${filter === "" ? "nothing" : filter} ${isFound ? "finds" : "leaves out"} ${given.cells[2]}`, () =>
      expect(matches(filter, given)).toBe(isFound));

  it("a column that is not there is named, and hides nothing", () => {
    const filter = compileFilter("colour=red", columns, () => now);
    expect(filter.problem).toBe('there is no column "colour"');
    expect(filter.matches(row("Running"))).toBe(true);
  });

  it("an age that is no time span is named", () =>
    expect(compileFilter("age<soon", columns, () => now).problem).toContain("no time span"));
});

describe("numbers and spans", () => {
  const numbers: readonly (readonly [string, number])[] = [
    ["2/3", 2],
    ["500m", 0.5],
    ["1Ki", 1024],
    ["1.5k", 1500],
    ["-4", -4],
  ];
  for (const [text, value] of numbers) it(`${text} is ${value}`, () => expect(numberIn(text)).toBe(value));
  it("a word is no number", () => expect(numberIn("web")).toBeNaN());

  const spans: readonly (readonly [string, number | undefined])[] = [
    ["90s", 90_000],
    ["1h30m", 5_400_000],
    ["2d", 172_800_000],
    ["", undefined],
    ["5", undefined],
    ["5x", undefined],
    ["m", undefined],
  ];
  for (const [text, value] of spans)
    it(`${JSON.stringify(text)} as a span is ${value}`, () => expect(spanOf(text)).toBe(value));
});
