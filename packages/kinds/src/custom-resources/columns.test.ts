import { readFileSync } from "node:fs";
import type { CustomResourceColumnDefinition } from "@coxswain/api/apiextensions/v1";
import { describe, expect, it } from "vitest";
import { customColumns } from "./columns.js";
import type { CustomObject } from "./custom-object.js";

// The answers in testdata/tables.json were recorded from k8s.io/apiextensions-apiserver v0.36.4 by
// tools/answers/custom-resources.
interface Case {
  name: string;
  columns: CustomResourceColumnDefinition[];
  object: CustomObject;
  answer: { columns: { name: string }[]; cells: unknown[] };
}
const cases = JSON.parse(readFileSync(new URL("testdata/tables.json", import.meta.url), "utf8")) as Case[];

describe("custom resources are printed as upstream does", () => {
  for (const { name, columns, object, answer } of cases)
    it(name, () => {
      const table = customColumns(columns);
      expect(table.columns.slice(1)).toEqual(answer.columns.slice(1));
      expect(table.cells(object, 0)).toEqual(answer.cells);
    });
});

describe("dates are ages", () => {
  const object: CustomObject = {
    apiVersion: "example.com/v1",
    kind: "Thing",
    metadata: { name: "a", creationTimestamp: "2024-01-01T00:00:00Z" },
  };
  const now = Date.parse("2024-01-03T01:00:00Z");

  it("the age is the only column where a version names none", () => {
    const { columns, cells } = customColumns(undefined);
    expect(columns.map(({ name, type }) => [name, type])).toEqual([
      ["Name", "string"],
      ["Age", "date"],
    ]);
    expect(cells(object, now)).toEqual(["a", "2d1h"]);
  });
});

describe("columns that visit much", () => {
  const deep = (levels: number): unknown => (levels === 0 ? { a: 1 } : { a: deep(levels - 1), b: deep(levels - 1) });
  const object = {
    apiVersion: "example.com/v1",
    kind: "Thing",
    metadata: { name: "a" },
    spec: deep(12),
  } as CustomObject;
  const column = (jsonPath: string): CustomResourceColumnDefinition => ({ name: jsonPath, type: "integer", jsonPath });
  const bombs = Array.from({ length: 20 }, () => column("..a..a..a..a"));

  it("a row of `..a..a..a..a` ends when its visits are used up, and its cells are null", () => {
    const effort = { left: 1_000_000 };
    expect(customColumns(bombs).cells(object, 0, effort)).toEqual(["a", ...bombs.map(() => null)]);
    expect(1_000_000 - effort.left).toBeLessThanOrEqual(60_000);
  });

  it("the rows of an answer share its effort: when it is used up a row may still cost a little", () => {
    const effort = { left: 0 };
    expect(customColumns([column(".spec.a.a.a.a.a.a.a.a.a.a.a.a.a")]).cells(object, 0, effort)).toEqual(["a", 1]);
    expect(customColumns(bombs).cells(object, 0, effort)).toEqual(["a", ...bombs.map(() => null)]);
    expect(effort.left).toBeGreaterThan(-10_000);
  });
});
