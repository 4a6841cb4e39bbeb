export const verdicts = ["passed", "failed", "skipped"] as const;
export type Verdict = (typeof verdicts)[number];

/** How one test ended. */
export interface Outcome {
  readonly test: string;
  readonly verdict: Verdict;
  readonly seconds: number;
  /** Why, when it did not pass: the first paragraph is the sentence, what follows is detail. */
  readonly message?: string;
}
