import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceColumnDefinition } from "@coxswain/api/apiextensions/v1";
import { type JsonPath, JsonPathError, parseJsonPath, type Visits, valueText } from "@coxswain/apimachinery/jsonpath";
import { humanDuration, parseTimeMs } from "@coxswain/apimachinery/time";
import {
  ageColumn,
  type Cell,
  type ColumnDefinition,
  type ColumnSet,
  nameColumn,
  type TableEffort,
} from "../definition/columns.js";
import type { CustomObject } from "./custom-object.js";
import { firstOf } from "./first-value.js";

type ColumnSpec = DeepReadonly<CustomResourceColumnDefinition>;

const defaultColumns: readonly ColumnSpec[] = [
  { name: "Age", type: "date", description: ageColumn.description, jsonPath: ".metadata.creationTimestamp" },
];

interface Column {
  readonly definition: ColumnDefinition;
  readonly path: JsonPath;
}

/**
 * Values that the columns of one row visit at most, about 5 ms. Without a limit twenty columns `..a..a..a..a` over one object of a
 * megabyte, which a user may define, took the only thread for minutes.
 */
const visitsPerRow = 50_000;
/** Up to so many a row counts nothing towards the effort of its answer: ordinary columns visit some ten values. */
const freeVisits = 1_000;
/** Characters of a printed value that count as one visit. */
const charsPerVisit = 8;

/** How custom resources are printed: their name, then the version's columns, or their age where it has none. */
export function customColumns(specs: readonly ColumnSpec[] | undefined): ColumnSet<CustomObject> {
  const columns = readColumns(specs?.length ? specs : defaultColumns);
  return {
    columns: [nameColumn, ...columns.map(({ definition }) => definition)],
    cells(object, now, effort) {
      const allowed = allowedVisits(effort);
      const visits = { left: allowed };
      const cells = [object.metadata.name ?? "", ...columns.map((column) => cellOf(object, column, now, visits))];
      if (effort) effort.left -= Math.max(0, allowed - visits.left - freeVisits);
      return cells;
    },
  };
}

const allowedVisits = (effort: TableEffort | undefined): number =>
  effort ? Math.min(visitsPerRow, freeVisits + Math.max(0, effort.left)) : visitsPerRow;

/** Up to the first path that cannot be read: upstream prints what it has until then. */
function readColumns(specs: readonly ColumnSpec[]): Column[] {
  const columns: Column[] = [];
  for (const { name, type, format = "", description, priority = 0, jsonPath } of specs) {
    const path = readPath(jsonPath);
    if (!path) break;
    columns.push({
      path,
      definition: {
        name,
        type: type as ColumnDefinition["type"],
        format,
        description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
        priority,
      },
    });
  }
  return columns;
}

function readPath(text: string): JsonPath | undefined {
  try {
    return parseJsonPath(`{${text}}`);
  } catch (err) {
    if (err instanceof JsonPathError) return undefined;
    throw err;
  }
}

/** The first value that the path finds; null where there is none of the column's type. */
function cellOf(object: unknown, { definition: { type }, path }: Column, now: number, visits: Visits): Cell {
  const value = firstOf(object, path, visits);
  if (value === undefined) return null;
  switch (type) {
    case "string":
      return value === null ? "<no value>" : printed(value, visits);
    case "integer":
      return typeof value === "number" || typeof value === "bigint" ? Math.trunc(Number(value)) : null;
    case "number":
      return typeof value === "number" || typeof value === "bigint" ? Number(value) : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? dateText(value, now) : null;
  }
}

function printed(value: unknown, visits: Visits): string {
  const text = valueText(value);
  visits.left -= Math.floor(text.length / charsPerVisit);
  return text;
}

function dateText(text: string, now: number): string {
  if (text === "" || text === "null") return "<unknown>";
  const time = parseTimeMs(text);
  return time === undefined ? "<invalid>" : humanDuration(now - time);
}
