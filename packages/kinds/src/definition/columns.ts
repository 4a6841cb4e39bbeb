import type { DeepReadonly } from "@coxswain/api";

export interface ColumnDefinition {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly format: string;
  readonly description: string;
  /** 0: always shown; above: only in wide output. */
  readonly priority: number;
}

export type Cell = string | number | boolean | null;

/** How a kind is printed by the server (a Table). */
export interface ColumnSet<T> {
  readonly columns: readonly ColumnDefinition[];
  /**
   * One cell per column. `now`: ages are counted up to it. `effort`: what the rows of one answer may cost together, for columns that
   * users define.
   */
  cells(object: DeepReadonly<T>, now: number, effort?: TableEffort): Cell[];
  /** Marks on a row that clients may act on. */
  conditions?(object: DeepReadonly<T>): RowCondition[];
  /** A list of none has no list of rows, not an empty one. */
  readonly nullWhenEmpty?: true;
}

/** What is left of it; at 0 and below, cells that cost more than a little are null. */
export interface TableEffort {
  left: number;
}

export interface RowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export const nameColumn: ColumnDefinition = {
  name: "Name",
  type: "string",
  format: "name",
  description: "The object's name, unique among its kind in the namespace.",
  priority: 0,
};

export const ageColumn: ColumnDefinition = {
  name: "Age",
  type: "string",
  format: "",
  description: "Time since the object was created.",
  priority: 0,
};

export const column = (
  name: string,
  type: ColumnDefinition["type"],
  description: string,
  priority = 0,
): ColumnDefinition => ({ name, type, format: "", description, priority });
