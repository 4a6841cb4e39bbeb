import type { Contestant } from "../contestant.js";

export interface Figure {
  /** The label of the table's line. */
  readonly what: string;
  readonly unit: "ms" | "per s" | "MB" | "times" | "%";
  readonly better: "more" | "less";
  /** Ours divided by upstream's must be above this where more is better, below it where less is; "ours": ours itself. */
  readonly budget: number;
  readonly budgetOf?: "ours";
  /** It is not measured, but the median of one figure divided by that of another. */
  readonly quotient?: { readonly of: string; readonly by: string };
}

/** By the figure's `what`; the same one may come several times. "not yet": the server does not have what was asked for. */
export type Values = Iterable<readonly [what: string, value: number | "not yet"]>;

/** One measurement, of one or several figures. A file of its own each. */
export interface Row {
  readonly name: string;
  readonly figures: readonly Figure[];
  /** How often it is measured, the servers taking turns; the table shows medians. @default 1 */
  readonly rounds?: number;
  measure(contestant: Contestant): Promise<Values>;
}
