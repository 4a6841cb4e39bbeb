import { describe, expect, it } from "vitest";
import { compileFilter } from "../contract/filter.js";
import type { SortOrder } from "../contract/table.js";
import { queryRows } from "./query-rows.js";
import type { StoredRow } from "./stored-row.js";
import { columnView } from "./table-store.js";

const columns = ["Name", "Status", "Restarts", "Age"].map((name) => ({
  name,
  type: "string",
  description: "",
  priority: 0,
  isAge: name === "Age",
}));

const row = (name: string, status: string, restarts: string, created: number): StoredRow => ({
  key: name,
  namespace: "default",
  name,
  uid: name,
  cells: [name, status, restarts, ""],
  created,
  isDeleting: false,
  labels: undefined,
  owners: [],
});

const rows = [
  row("a", "Running", "10", 300),
  row("b", "Error", "9 (2m ago)", 100),
  row("c", "Running", "<none>", 200),
  row("d", "error", "2", 400),
];

const cases: readonly { name: string; filter?: string; sort?: SortOrder; names: string }[] = [
  { name: "without an order it is the rows' own", names: "abcd" },
  { name: "a filter leaves it", filter: "status=running", names: "ac" },
  {
    name: "texts that differ in their case only are equal, and then names decide",
    sort: order("Status"),
    names: "bdac",
  },
  { name: "downwards equal rows keep their order", sort: order("Status", true), names: "acbd" },
  { name: "numbers are numbers, and come before texts", sort: order("Restarts"), names: "dbac" },
  { name: "a small age is a late creation", sort: order("Age"), names: "dacb" },
  { name: "a column that is not there orders nothing", sort: order("Colour"), names: "abcd" },
];

function order(column: string, descending = false): SortOrder {
  return { column, descending };
}

describe("rows of a query", () => {
  for (const { name, filter = "", sort, names } of cases)
    it(name, () => {
      const compiled = compileFilter(
        filter,
        columns.map((column) => column.name),
        () => 0,
      );
      const found = queryRows(rows, { filter: compiled, sort, columns });
      expect(found.map((one) => one.name).join("")).toBe(names);
    });
});

it("the age of a custom resource grows, too: its server prints it once", () =>
  expect([
    columnView({ name: "AGE", type: "date" }).isAge,
    columnView({ name: "Last Schedule", type: "date" }).isAge,
  ]).toEqual([true, false]));
