import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceColumnDefinition } from "@coxswain/api/apiextensions/v1";
import { type JsonPath, JsonPathError, parseJsonPath, valueText } from "@coxswain/apimachinery/jsonpath";
import { humanDuration, parseTimeMs } from "@coxswain/apimachinery/time";
import { ageColumn, type Cell, type ColumnDefinition, type ColumnSet, nameColumn } from "../definition/columns.js";
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

/** How custom resources are printed: their name, then the version's columns, or their age where it has none. */
export function customColumns(specs: readonly ColumnSpec[] | undefined): ColumnSet<CustomObject> {
  const columns = readColumns(specs?.length ? specs : defaultColumns);
  return {
    columns: [nameColumn, ...columns.map(({ definition }) => definition)],
    cells: (object, now) => [object.metadata.name ?? "", ...columns.map((column) => cellOf(object, column, now))],
  };
}

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
function cellOf(object: unknown, { definition: { type }, path }: Column, now: number): Cell {
  const value = firstOf(object, path);
  if (value === undefined) return null;
  switch (type) {
    case "string":
      return value === null ? "<no value>" : valueText(value);
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

function dateText(text: string, now: number): string {
  if (text === "" || text === "null") return "<unknown>";
  const time = parseTimeMs(text);
  return time === undefined ? "<invalid>" : humanDuration(now - time);
}
