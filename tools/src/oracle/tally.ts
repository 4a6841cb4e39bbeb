import type { Difference } from "../record/index.js";
import { causeOf, type Verdict, verdictText } from "./compare-answers.js";
import { type AcceptedDifference, ledger } from "./ledger.js";
import { formatTable, type Row } from "./report.js";

/** What a run has found so far. */
export class Tally {
  readonly #rows: Row[] = [];
  /** The cases that each entry of the ledger was needed for. */
  readonly #uses = new Map<AcceptedDifference, string[]>();
  readonly #causes = new Map<string, { count: number; first: string }>();
  readonly #show: number;

  /** `show`: differences of each row that are printed as they are found. */
  constructor({ show }: { readonly show: number }) {
    this.#show = show;
  }

  /** A row of the table at the end; its cases are counted by what is returned. */
  open(kind: string): (sentence: string, verdict: Verdict) => void {
    const row: Row = { kind, cases: 0, equal: 0, different: 0, accepted: 0 };
    this.#rows.push(row);
    return (sentence, verdict) => {
      row.cases++;
      row[verdict.is]++;
      if (verdict.is === "accepted")
        for (const entry of new Set(verdict.entries))
          this.#uses.set(entry, [...(this.#uses.get(entry) ?? []), `${kind}: ${sentence}`]);
      if (verdict.is === "different") this.#differs(kind, verdict.differences, row.different <= this.#show);
    };
  }

  #differs(kind: string, differences: readonly Difference[], printed: boolean): void {
    for (const difference of differences) {
      const cause = causeOf(difference);
      const known = this.#causes.get(cause);
      this.#causes.set(cause, { first: known?.first ?? verdictText(kind, difference), count: (known?.count ?? 0) + 1 });
    }
    if (!printed) return;
    console.log(
      differences
        .slice(0, 4)
        .map((one) => verdictText(kind, one))
        .join("\n"),
    );
  }

  get differs(): boolean {
    return this.#rows.some(({ different }) => different > 0);
  }

  /** `causes`: groups of like differences that are named; `accepted`: cases named beside each entry of the ledger. */
  print({ causes, accepted }: { readonly causes: number; readonly accepted: number }): void {
    const ranked = [...this.#causes.values()].sort((a, b) => b.count - a.count).slice(0, causes);
    if (ranked.length > 0)
      console.log(
        `\nThe most frequent causes:\n${ranked.map(({ count, first }) => `${String(count).padStart(5)}  ${first}`).join("\n")}\n`,
      );
    console.log(formatTable(this.#rows));
    console.log(
      `\nThe ledger:\n${ledger
        .map((entry) => {
          const used = this.#uses.get(entry) ?? [];
          const named = used.slice(0, accepted).map((one) => `         ${one}\n`);
          return `${String(used.length).padStart(5)}  ${entry.reason}\n${named.join("")}`;
        })
        .join("")}`,
    );
  }
}
