import type { Problem } from "./problem.js";

export interface SortOrder {
  /** A column's name. */
  readonly column: string;
  readonly descending: boolean;
}

export interface ColumnView {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  /** 0: always; more: where there is room. */
  readonly priority: number;
  /** Shown as the time since `created`, which grows by itself. */
  readonly isAge: boolean;
}

export interface RowView {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** One for each column. */
  readonly cells: readonly string[];
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly isDeleting: boolean;
}

export interface TableState {
  readonly columns: readonly ColumnView[];
  readonly total: number;
  readonly matched: number;
  /** Index of the first of `rows` among those that match. */
  readonly from: number;
  readonly rows: readonly RowView[];
  /** `listed`: as it was when it was opened, since the server has no watch for it. */
  readonly status: "loading" | "live" | "listed" | "past" | "behind";
  readonly problem: Problem | undefined;
  /** What is wrong with the filter, as a sentence. */
  readonly filterProblem: string;
}

export const emptyTable: TableState = {
  columns: [],
  total: 0,
  matched: 0,
  from: 0,
  rows: [],
  status: "loading",
  problem: undefined,
  filterProblem: "",
};
