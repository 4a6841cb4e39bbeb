import { expect, it } from "vitest";
import { shownColumns } from "./column-widths.js";

const columns = [
  ["Name", 0],
  ["Kind", 0],
  ["Name", 1],
  ["Node", 1],
].map(([name, priority]) => ({
  name: String(name),
  type: "string",
  description: "",
  priority: Number(priority),
  isAge: false,
}));

it("important columns are shown, and a node; the name is a cell of its own", () =>
  expect(shownColumns(columns, false)).toEqual([1, 3]));
it("a second column that is called Name is a column like any other", () =>
  expect(shownColumns(columns, true)).toEqual([1, 2, 3]));
