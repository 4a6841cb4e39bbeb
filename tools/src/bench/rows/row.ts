import type { Contestant } from "../contestant.js";
import type { Topic } from "../topics.js";

export interface Figure {
  /** The label of the table's line. */
  readonly what: string;
  readonly unit: "ms" | "s" | "per s" | "MB" | "KB" | "times" | "%";
  readonly better: "more" | "less";
  /** Ours divided by upstream's must be above this where more is better, below it where less is; "ours": ours itself. None: it is shown beside others. */
  readonly budget?: number;
  readonly budgetOf?: "ours";
  /** It is not measured, but the median of one figure divided by that of another. */
  readonly quotient?: { readonly of: string; readonly by: string };
}

/** By the figure's `what`; the same one may come several times. "not yet": the server does not have what was asked for. */
export type Values = Iterable<readonly [what: string, value: number | "not yet"]>;

/** One measurement, of one or several figures. A file of its own each. */
export interface Row {
  readonly name: string;
  /** The table of the page that it is in. */
  readonly topic: Topic;
  readonly figures: readonly Figure[];
  /** How often it is measured, the servers taking turns; the table shows medians. @default 1 */
  readonly rounds?: number;
  /** Upstream has no such thing, or does not get there within the bench's time. */
  readonly only?: "ours";
  /** It takes tens of minutes: it is measured only when it is named in full. */
  readonly isLong?: true;
  /** After so many minutes a server has failed in a round, and the rest goes on. @default 10 */
  readonly mostMinutes?: number;
  measure(contestant: Contestant): Promise<Values>;
}
